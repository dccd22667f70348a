/** Every load scenario by the real k6: held by the conforming service, and violated by the fault that it is there for. */
import { describe, expect, type TestContext, test } from 'vitest';
import type { Verdict } from '../../contract/verdict.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { type Played, playedScenario } from './testing/played-scenario.ts';

const many = { choices: { keys: 30 } };
/** k6, the service and these tests share a machine: one that stalls in a wave proves nothing, which is no failure of theirs. */
const slow = { timeout: 120_000, retry: 2 };

async function verdictOf(context: TestContext, name: string, played: Played): Promise<Verdict> {
  const trace = await playedScenario(context, name, played);
  expect(trace.loads).toMatchObject([{ state: 'complete', reason: null }]);
  const found = judgeTrace(trace).clauses.find(({ clause }) => clause === `load.${name}`)?.verdict;
  if (found === undefined || found.kind === 'crashed') throw new Error(`no verdict: ${found?.message}`);
  return found;
}

const conforming: readonly (readonly [name: string, played: Played])[] = [
  ['messages-burst', {}],
  ['media-burst', { choices: { vus: 15 } }],
  ['rolling-window', {}],
  ['over-pressure', {}],
  ['sustained', {}],
  ['noisy-neighbour', {}],
  ['mixed-scopes', {}],
  ['many-keys', many],
  ['nodes', { nodes: 3 }],
];

describe('the conforming service', () => {
  test.concurrent.for(conforming)('holds %s', slow, async ([name, played], context) => {
    expect(await verdictOf(context, name, played)).toMatchObject({ kind: 'held' });
  });
});

const faulty: readonly (readonly [fault: string, name: string, played: Played, reason: string])[] = [
  ['fixed-window', 'rolling-window', {}, 'over-admission|early-return'],
  ['fixed-window-first-request', 'rolling-window', {}, 'over-admission|early-return|too-short'],
  ['check-then-add', 'messages-burst', { choices: { vus: 60 } }, 'over-admission'],
  ['fails-open', 'over-pressure', {}, 'over-admission|early-return'],
  ['one-window-for-scopes', 'mixed-scopes', {}, 'one-window-for-scopes'],
  ['one-window-for-keys', 'many-keys', many, 'one-window-for-keys'],
  ['one-window-for-keys', 'noisy-neighbour', {}, 'one-window-for-keys'],
  ['window-per-node', 'nodes', { nodes: 3 }, 'counted-per-node'],
];

describe('a fault is caught, for its reason', () => {
  test.concurrent.for(faulty)('%s by %s', slow, async ([fault, name, played, reason], context) => {
    const verdict = await verdictOf(context, name, { ...played, faults: [fault] });
    expect(verdict).toMatchObject({ kind: 'violated', reason: expect.stringMatching(`^(${reason})$`) });
  });
});
