import { expect, test } from 'vitest';
import { judgeWebhooks } from './judge-webhooks.ts';
import { delivery, eventText, testSecret, traceOf } from './testing/deliveries.ts';
import { verifySignature } from './verify-signature.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const unsigned = { headers: [['X-Service-Signature', 'sha256=of-another-secret'] as [string, string]] };

/** Where JSON may nest, in texts around it. */
const places = [
  ['the body', (deep: string) => deep],
  [
    'the timestamp',
    (deep: string) => eventText('message.read', 'msg_1').replace(/"timestamp":\d+/, `"timestamp":${deep}`),
  ],
  ['a field of data', (deep: string) => eventText('message.received', 'msg_1').replace('"Hello!"', deep)],
] as const;

test.each(places)('%s may nest as deep as it likes: every clause is judged', (_place, textWith) => {
  for (const levels of [250, 4_000, 400_000]) {
    const deliveries = [delivery(0, textWith(nested(levels)), unsigned)];
    const { judgements: judged } = judgeWebhooks(traceOf(deliveries), {
      secrets: [testSecret],
      meanwhile: null,
    });
    expect(judged.filter(({ verdict }) => verdict.kind === 'crashed')).toEqual([]);
    expect(judged.find(({ clause }) => clause === 'webhook.signature')?.verdict).toMatchObject({
      kind: 'observed',
      value: expect.stringContaining(
        'JSON written anew was not tried with 1 that nest deeper than 200 levels',
      ),
    });
  }
});

test('verify tries what it can of such a body', () => {
  const body = Buffer.from(nested(4_000));
  const found = verifySignature({ body, value: 'sha256=00', secrets: [testSecret], headers: [], path: '/' });
  expect(found).toMatchObject({ verifies: false, fit: null });
});

test('of a body of 150 levels its JSON is written anew', () => {
  const said = judgeWebhooks(traceOf([delivery(0, nested(150), unsigned)]), {
    secrets: [testSecret],
    meanwhile: null,
  });
  expect(JSON.stringify(said)).not.toContain('was not tried');
});
