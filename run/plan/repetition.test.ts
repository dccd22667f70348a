import { describe, expect, it } from 'vitest';
import { clauses } from '../../contract/clauses/registry.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import type { BurstMeasure, Judgement } from '../../contract/judgement.ts';
import { held, inconclusive, notApplicable, type Verdict } from '../../contract/verdict.ts';
import { scenarios } from '../../load/runner/scenarios.ts';
import { goesByDefault } from './load-keys.ts';
import { noLoad } from './load-plan.ts';
import { decidedByBoth, repetitionOf } from './repetition.ts';

/** A judgement in which all is held but for these. */
function judgement(
  others: Readonly<Record<string, Verdict>>,
  bursts: readonly BurstMeasure[] = [],
): Judgement {
  const verdictOn = (id: string): Verdict => others[id] ?? held('seen');
  return {
    clauses: clauses.map(({ id }) => ({ clause: id, verdict: verdictOn(id) })),
    groups: [],
    bursts: [...bursts],
  };
}

const usual = { mode: 'full', load: { ...noLoad, scenarios: scenarios.filter(goesByDefault) } } as const;
const open = inconclusive('nobody knows');

const repeated = (others: Readonly<Record<string, Verdict>>, bursts: readonly BurstMeasure[] = []) => {
  const { mode, load, scopes } = repetitionOf(judgement(others, bursts), {
    ...usual,
    document: messagingDocument,
  });
  return { mode, scopes, load: load.scenarios.map(({ name }) => name) };
};

describe('what is repeated', () => {
  it.each([
    ['one scope', { 'limits.media': open }, { mode: 'full', scopes: ['media'], load: [] }],
    [
      'two scopes',
      { 'limits.standard': open, 'limits.messages-subpaths': open },
      { mode: 'full', scopes: ['standard', 'messages'], load: [] },
    ],
    [
      'what every scope shows',
      { 'limits.media': open, 'window.rolling': open },
      { mode: 'full', scopes: ['standard', 'messages', 'media'], load: [] },
    ],
    [
      'a burst alone, without the probes',
      { 'load.media-burst': open },
      { mode: 'load', scopes: ['standard', 'messages', 'media'], load: ['media-burst'] },
    ],
    [
      'both',
      { 'load.media-burst': open, 'limits.media': open },
      { mode: 'full', scopes: ['media'], load: ['media-burst'] },
    ],
  ])('%s', (_what, others, expected) => {
    expect(repeated(others)).toEqual(expected);
  });

  it('has the scenario that did not run to its end', () => {
    const burst: BurstMeasure = {
      scenario: 'messages-burst',
      scope: 'messages',
      key: 'B',
      state: 'incomplete',
      reason: 'interrupted',
      sent: 1,
      admitted: 1,
      limited: 0,
      unexpected: 0,
      spanMs: 1,
    };
    expect(repeated({}, [burst])).toMatchObject({ mode: 'load', load: ['messages-burst'] });
  });
});

describe('the verdicts of two runs', () => {
  const violated: Verdict = {
    kind: 'violated',
    reason: 'over-admission',
    evidence: { expected: '', observed: '', exchanges: [], exchangesTotal: 0 },
  };
  const verdictAfter = (first: Verdict, second: Verdict) => {
    const before = { runId: 'r1', clauses: judgement({ 'limits.media': first }).clauses };
    const both = decidedByBoth(before, judgement({ 'limits.media': second }));
    return both.clauses.find(({ clause }) => clause === 'limits.media')?.verdict;
  };

  it.each([
    ['the second decides what was open', open, held('now'), held('now')],
    ['what stays open stays so', open, inconclusive('still'), inconclusive('still')],
    ['what was not asked again stays open', open, notApplicable('not run'), open],
    ['what was held stays so, and says by which run', held('then'), open, held('then (run r1)')],
    ['a violation of the second stands', held('then'), violated, violated],
  ])('%s', (_what, first, second, expected) => {
    expect(verdictAfter(first, second)).toEqual(expected);
  });
});
