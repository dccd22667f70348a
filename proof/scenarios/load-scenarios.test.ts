/** Every load scenario by the real k6: held by the conforming service, and violated by the fault that it is there for. */
import { describe, expect, type TestContext, test } from 'vitest';
import type { DecidedLoadClauseId } from '../../contract/clauses/load.ts';
import type { Verdict } from '../../contract/verdict.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { k6BeforeAll } from '../../load/runner/testing/k6-before-all.ts';
import { playedScenario, type ScenarioPlay } from './testing/played-scenario.ts';

const k6For = k6BeforeAll();

const many = { choices: { keys: 30 } };
/** k6, the service and these tests share a machine: one that stalls in a wave proves nothing, which is no failure of theirs. */
const slow = { timeout: 120_000, retry: 2 };

async function verdictOf(context: TestContext, name: string, played: ScenarioPlay): Promise<Verdict> {
  const trace = await playedScenario(k6For(context), name, played);
  expect(trace.loads).toMatchObject([{ state: 'complete', reason: null }]);
  const found = judgeTrace(trace).clauses.find(({ clause }) => clause === `load.${name}`)?.verdict;
  if (found === undefined || found.kind === 'crashed') throw new Error(`no verdict: ${found?.message}`);
  return found;
}

const conforming: readonly (readonly [name: string, played: ScenarioPlay])[] = [
  ['messages-burst', {}],
  ['media-burst', { choices: { vus: 15 } }],
  // A busy machine knows when capacity came back to half a second: a small part of a longer window.
  ['rolling-window', { windowSeconds: 8 }],
  ['over-pressure', {}],
  ['noisy-neighbour', {}],
  ['mixed-scopes', {}],
  ['many-keys', many],
  ['nodes', { nodes: 3 }],
];

async function expectHeld(context: TestContext, name: string, played: ScenarioPlay): Promise<void> {
  const verdict = await verdictOf(context, name, played);
  expect(verdict, 'reason' in verdict ? verdict.reason : '').toMatchObject({ kind: 'held' });
}

describe('the conforming service', () => {
  test.concurrent.for(conforming)('holds %s', slow, ([name, played], context) =>
    expectHeld(context, name, played),
  );

  // By itself, and in a longer window: what is held up comes at once afterwards, and a twenty-fifth of the limit is too much.
  test('holds sustained', slow, (context) => expectHeld(context, 'sustained', { windowSeconds: 10 }));
});

test(
  'over-pressure of two windows holds what stops limiting then, and says for how long it watched',
  slow,
  async (context) => {
    const verdict = await verdictOf(context, 'over-pressure', { faults: ['unlimited-after-two-windows'] });
    expect(verdict).toMatchObject({
      kind: 'held',
      summary: expect.stringMatching(/; watched for 6 s, not beyond$/),
    });
  },
);

type Faulty = readonly [fault: string, played: ScenarioPlay, reason: string];

/**
 * For each clause of the load suite faults that violate it, and the reasons that may be given. `load.sustained` has none
 * here: in windows of 3 s a limiter that counts in whole seconds explains every 429 of it. Its bad trace is in
 * `judge/scenarios/scenarios.test.ts`.
 */
const faulty: Readonly<Record<Exclude<DecidedLoadClauseId, 'load.sustained'>, readonly Faulty[]>> = {
  'load.messages-burst': [['check-then-add', { choices: { vus: 60 } }, 'over-admission']],
  'load.media-burst': [['limit-plus-one', {}, 'over-admission']],
  'load.rolling-window': [
    ['fixed-window', {}, 'over-admission|early-return'],
    ['fixed-window-first-request', {}, 'over-admission|early-return|too-short'],
  ],
  'load.over-pressure': [
    ['fails-open', {}, 'over-admission|early-return'],
    // At three times the limit, sent evenly, a third of the window in which rejections count explains it too.
    ['unlimited-after-two-windows', { choices: { windows: 3 } }, 'over-admission|early-return|too-short'],
  ],
  'load.noisy-neighbour': [['one-window-for-keys', {}, 'one-window-for-keys']],
  'load.mixed-scopes': [['one-window-for-scopes', {}, 'one-window-for-scopes']],
  'load.many-keys': [['one-window-for-keys', many, 'one-window-for-keys']],
  'load.nodes': [['window-per-node', { nodes: 3 }, 'counted-per-node']],
};

const runs = Object.entries(faulty).flatMap(([clause, rows]) =>
  rows.map(([fault, played, reason]) => ({ fault, name: clause.slice('load.'.length), played, reason })),
);

describe('a fault is caught, for its reason', () => {
  test.concurrent.for(runs)('$fault by $name', slow, async ({ fault, name, played, reason }, context) => {
    const verdict = await verdictOf(context, name, { ...played, faults: [fault] });
    expect(verdict).toMatchObject({ kind: 'violated', reason: expect.stringMatching(`^(${reason})$`) });
  });
});
