/** Load scenarios by documents of each kind of limit, by the real k6: held by a service that keeps it, and violated by a fault. */
import { describe, expect, type TestContext, test } from 'vitest';
import type { Verdict } from '../../contract/verdict.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { k6BeforeAll } from '../../load/runner/testing/k6-before-all.ts';
import { readExamples } from '../documents/examples.ts';
import { playedScenario, type ScenarioPlay } from './testing/played-scenario.ts';

const k6For = k6BeforeAll();

/** k6, the service and these tests share a machine: one that stalls in a wave proves nothing, which is no failure of theirs. */
const slow = { timeout: 180_000, retry: 2 };

/** A burst takes as long as a busy machine makes it take, and streams need a rate that it keeps up with. */
const windowSecondsOf: Readonly<Record<string, number>> = {
  burst: 30,
  'over-pressure': 8,
  'noisy-neighbour': 8,
};

const examples = new Map((await readExamples()).map(({ file, document }) => [file, document]));

async function verdictOf(
  context: TestContext,
  name: string,
  { file, ...played }: Omit<ScenarioPlay, 'document'> & { readonly file: string },
): Promise<Verdict> {
  const document = examples.get(`${file}.yaml`);
  if (document === undefined) throw new Error(`no example ${file}`);
  const trace = await playedScenario(k6For(context), name, {
    windowSeconds: windowSecondsOf[name],
    ...played,
    document,
  });
  expect(trace.loads).toMatchObject([{ state: 'complete', reason: null }]);
  const found = judgeTrace(trace).clauses.find(({ clause }) => clause === `load.${name}`)?.verdict;
  if (found === undefined || found.kind === 'crashed') throw new Error(`no verdict: ${found?.message}`);
  return found;
}

describe('a service that keeps its document', () => {
  test.concurrent.for([
    ['burst', 'fixed-by-clock'],
    ['burst', 'fixed-by-first-request'],
    // A bucket, and a window of unsaid beginning, refused by 503.
    ['burst', 'busy'],
    // A guarantee, and an upper bound.
    ['burst', 'guarantee'],
    ['burst', 'by-address'],
    ['mixed-scopes', 'busy'],
    ['over-pressure', 'guarantee'],
    // Full again within a second: with two such windows no refusal would be late enough.
    ['over-pressure', 'token-bucket', { windows: 4 }],
  ] as const)('is held to %s of %s', slow, async ([name, file, choices = {}], context) => {
    const verdict = await verdictOf(context, name, { file, choices });
    expect(verdict, 'reason' in verdict ? verdict.reason : '').toMatchObject({ kind: 'held' });
  });
});

/** A fault of each kind of limit, and the scenario that finds it. */
test.concurrent.for([
  ['fixed-by-clock', 'over-pressure', 'unlimited', 'over-admission'],
  ['fixed-by-first-request', 'over-pressure', 'unlimited', 'over-admission'],
  ['token-bucket', 'burst', 'unlimited', 'over-admission'],
  ['guarantee', 'burst', 'limit-plus-one', 'over-admission'],
  ['guarantee', 'noisy-neighbour', 'one-window-for-keys', 'wrongful-429'],
  ['by-address', 'burst', 'limit-plus-one', 'over-admission'],
] as const)('%s: %s finds %s', slow, async ([file, name, fault, reason], context) => {
  const verdict = await verdictOf(context, name, { file, faults: [fault] });
  expect(verdict).toMatchObject({ kind: 'violated', reason });
});
