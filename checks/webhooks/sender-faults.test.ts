import { describe, expect, test } from 'vitest';
import type { ClauseJudgement } from '../../contract/judgement.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import { judgeWebhooks } from '../../judge/webhooks/judge-webhooks.ts';
import { senderVariants } from '../../service/webhooks/faults/variants.ts';
import { senderFaults } from '../../service/webhooks/faults.ts';
import { documentedSender } from '../../service/webhooks/sender.ts';
import { simulatedSecret, webhookRun } from '../testing/webhook-run.ts';

/** `npm run faults` plays more of them. */
const seeds = [1, 2, 3];

const judged = (sender: typeof documentedSender, seed: number): readonly ClauseJudgement[] =>
  judgeWebhooks(webhookRun(sender, seed), { secrets: [simulatedSecret], beside: null });

const violated = (judgements: readonly ClauseJudgement[]) =>
  judgements.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' ? [{ clause, reason: verdict.reason }] : [],
  );

const crashed = (judgements: readonly ClauseJudgement[]) =>
  judgements.filter(({ verdict }) => verdict.kind === 'crashed');

test('the sender that keeps the document holds every must clause, and is observed in every other', () => {
  for (const seed of seeds) {
    const kinds = judged(documentedSender, seed).map(({ clause, verdict }) => [clause, verdict.kind]);
    expect(kinds).toEqual(
      webhookClauses.map(({ id, level }) => [id, level === 'must' ? 'held' : 'observed']),
    );
  }
});

describe('sender faults', () => {
  test.each(senderFaults)('$name: $summary', ({ must, reasons, patch }) => {
    for (const seed of seeds) {
      const judgements = judged(patch(documentedSender), seed);
      expect(crashed(judgements)).toEqual([]);
      expect(violated(judgements).map(({ clause }) => clause)).toEqual(must);
      expect(reasons).toEqual(expect.arrayContaining(violated(judgements).map(({ reason }) => reason)));
    }
  });

  test('every must clause has one that must violate it', () => {
    const proved: readonly string[] = senderFaults.flatMap(({ must }) => must);
    const unproved = webhookClauses.filter(({ id, level }) => level === 'must' && !proved.includes(id));
    expect(unproved.map(({ id }) => id)).toEqual([]);
  });

  test('names are unique', () => {
    const names = [...senderFaults, ...senderVariants].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what the document leaves open', () => {
  test.each(senderVariants)('$name: $summary', ({ patch, observed: [clause, says] }) => {
    for (const seed of seeds) {
      const judgements = judged(patch(documentedSender), seed);
      expect(violated(judgements)).toEqual([]);
      const verdict = judgements.find((one) => one.clause === clause)?.verdict;
      expect(verdict?.kind === 'observed' ? verdict.value : verdict).toContain(says);
    }
  });
});
