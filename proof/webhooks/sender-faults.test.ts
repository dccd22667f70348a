import { describe, expect, test } from 'vitest';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import { judgeWebhooks } from '../../judge/webhooks/judge-webhooks.ts';
import { senderVariants } from '../../service/webhooks/faults/variants.ts';
import { senderFaults } from '../../service/webhooks/faults.ts';
import { documentedSender } from '../../service/webhooks/sender.ts';
import { senderMatrix } from './sender-matrix.ts';
import { simulatedSecret, webhookRun } from './webhook-run.ts';

/** `npm run faults -- --seeds 1000` is the long form. */
const rows = senderMatrix(1, 3);

describe('senders of webhooks', () => {
  test.each(rows)('$name says what it should, and nothing else', ({ problems, caught, runs }) => {
    expect(problems).toEqual([]);
    expect(caught).toBe(runs);
  });

  test('every must clause has a fault that must violate it', () => {
    const proved: readonly string[] = senderFaults.flatMap(({ must }) => must);
    const unproved = webhookClauses.filter(({ id, level }) => level === 'must' && !proved.includes(id));
    expect(unproved.map(({ id }) => id)).toEqual([]);
  });

  test('names are unique', () => {
    const names = [...senderFaults, ...senderVariants].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('as documented, every must clause is held, and every other observed', () => {
    const knowledge = { secrets: [simulatedSecret], meanwhile: null };
    const kinds = judgeWebhooks(webhookRun(documentedSender, 1), knowledge).judgements.map(
      ({ clause, verdict }) => [clause, verdict.kind],
    );
    expect(kinds).toEqual(
      webhookClauses.map(({ id, level }) => [id, level === 'must' ? 'held' : 'observed']),
    );
  });
});
