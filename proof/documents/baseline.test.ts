import { expect, it } from 'vitest';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import {
  baselineSchema,
  emptyBaseline,
  formatBaseline,
  updatedBaseline,
} from '../../reports/baseline/baseline.ts';
import { quoted, violatedWith } from '../../reports/testing/fixtures.ts';
import { checkBaseline } from '../../run/judge/check-baseline.ts';
import { readExamples } from './examples.ts';

const examples = await readExamples();

it.each(examples)('a baseline may list each clause of $file, and each on webhooks', ({ document }) => {
  const clauses = [...clausesOf(document), ...webhookClauses];
  const broken = clauses.map((clause) => ({
    ...clause,
    level: 'must' as const,
    verdict: violatedWith([quoted()]),
  }));
  const words = { reason: 'ticket 7', until: '2026-12-31' };
  const { baseline } = updatedBaseline(emptyBaseline, broken, { words, today: '2026-03-01' });
  const read = baselineSchema.parse(JSON.parse(formatBaseline(baseline)));
  expect(new Set(read.deviations.map(({ clause }) => clause))).toEqual(new Set(clauses.map(({ id }) => id)));
  expect(() => checkBaseline(read, document)).not.toThrow();
});
