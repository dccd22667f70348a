import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import { groupsOf } from '../../judge/entries.ts';
import { identifyGroups } from '../../judge/identify/identify-groups.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { writeLongTrace } from './long-trace.ts';

const keys = ['A', 'B', 'C'];
const exchanges = 12_000;

/** Some uploads of one key passed that were beyond its limit. */
function withTooMany(trace: Trace, key: string): Trace {
  return {
    ...trace,
    exchanges: trace.exchanges.map((one, at) =>
      one.key === key && one.scope === 'media' && one.outcome === 'limited' && at % 3 === 0
        ? { ...one, status: 200, outcome: 'admitted', body: null, retryAfter: null }
        : one,
    ),
  };
}

/** A trace has its keys in the order in which they first sent something. */
function inOrder<Of extends { readonly key: string; readonly scope: string }>(all: readonly Of[]): Of[] {
  return all.toSorted((left, right) =>
    `${left.key} ${left.scope}` < `${right.key} ${right.scope}` ? -1 : 1,
  );
}

test('what is said of a key in a trace of many is what is said of it alone', async () => {
  const path = join(await temporaryFolder(), 'trace.ndjson');
  writeLongTrace(path, exchanges, { keys, nodes: 8 });
  const whole = withTooMany(parseTrace(await readFile(path, 'utf8')), 'B');
  const parts = keys.map(
    (key): Trace => ({ ...whole, exchanges: whole.exchanges.filter((one) => one.key === key) }),
  );
  const [judged, ...alone] = [whole, ...parts].map(judgeTrace);
  expect(judged?.groups).toHaveLength(9);
  expect(inOrder(alone.flatMap(({ groups }) => groups))).toEqual(inOrder(judged?.groups ?? []));
  const identified = (trace: Trace) => identifyGroups(groupsOf(trace));
  expect(inOrder(parts.flatMap(identified))).toEqual(inOrder(identified(whole)));
  const violated = [whole, ...parts].map((trace) =>
    judgeTrace(trace).clauses.flatMap(({ clause, verdict }) => (verdict.kind === 'violated' ? [clause] : [])),
  );
  expect(violated[0]).toHaveLength(1);
  expect(violated).toEqual([violated[0], [], violated[0], []]);
});
