import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { judgeDrive } from '../../judge/webhooks/drive/judge-drive.ts';
import { drive } from './testing/driven.ts';
import { firstSecret, goodBehaviour, isSame, startReceiver } from './testing/receiver.ts';

/** Objects in objects of texts and numbers are all that an event holds. */
function python(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, part]) => `"${name}": ${python(part)}`)
    .join(', ')}}`;
}

const ascii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const sign = (text: string, key = firstSecret, name = 'sha256'): string =>
  `sha256=${createHmac(name, key).update(text).digest('hex')}`;

const parsed = (body: Buffer): unknown => JSON.parse(body.toString('utf8'));

/** Receivers that compute something else than the convention, and what has to be said of them. */
const others: readonly (readonly [what: string, of: (body: Buffer) => string, says: string])[] = [
  ['json.dumps of Python', (body) => sign(ascii(python(parsed(body)))), 'as Python does'],
  ['indented JSON', (body) => sign(JSON.stringify(parsed(body), null, 4)), 'indented by four'],
  ['SHA-384', (body) => sign(body.toString('utf8'), firstSecret, 'sha384'), 'HMAC-SHA384'],
  ['a quoted secret', (body) => sign(body.toString('utf8'), `"${firstSecret}"`), 'in double quotes'],
  ['path and body', (body) => sign(`/hooks${body.toString('utf8')}`), 'path and body'],
  ['an empty body', () => sign(''), 'an empty text'],
  ['nobody knows what', () => sign('something'), 'other computations were tried and refused too'],
];

test.each(others)('drive names the computation of a receiver that expects %s', async (_what, of, says) => {
  const isSigned = (given: string | null, body: Buffer): boolean => isSame(given ?? '', of(body));
  const { url, close } = await startReceiver({ ...goodBehaviour, isSigned });
  try {
    const pace = { budgetMs: 60_000, burst: { eventsPerSecond: 15, seconds: 1 } };
    const trace = await drive({ target: url, effects: null, ...pace });
    const { cases } = judgeDrive(trace);
    const first = cases.find((one) => one.case === 'valid.received')?.verdict;
    expect(first).toMatchObject({ kind: 'violated', likely: expect.stringContaining(says) });
  } finally {
    close();
  }
});
