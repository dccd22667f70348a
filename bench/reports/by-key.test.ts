import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTrace, type Trace } from '../../contract/trace.ts';
import type { TraceLine } from '../../contract/trace-lines.ts';
import { groupsOf } from '../../judge/entries.ts';
import { identifyGroups } from '../../judge/identify/identify-groups.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { writeLongTrace } from './long-trace.ts';

const keys = ['A', 'B', 'C'];
const exchanges = 12_000;

/** Some uploads of one key passed that were beyond its limit. */
function withTooMany(row: string, at: number): string {
  const line = JSON.parse(row) as TraceLine;
  return line.kind === 'exchange' &&
    line.key === 'B' &&
    line.scope === 'media' &&
    line.outcome === 'limited' &&
    at % 3 === 0
    ? JSON.stringify({ ...line, status: 200, outcome: 'admitted', body: null, retryAfter: null })
    : row;
}

/** The lines of one key, with those that are of none: the first and the last. */
function partOf(rows: readonly string[], key: string): readonly string[] {
  return rows.filter((row) => !row.includes('"key":') || row.includes(`"key":"${key}"`));
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
  const rows = (await readFile(path, 'utf8')).trimEnd().split('\n').map(withTooMany);
  const whole = parseTrace(rows);
  const parts = keys.map((key) => parseTrace(partOf(rows, key)));
  expect(parts.map(({ exchanges }) => exchanges.length)).toEqual([4_000, 4_000, 4_000]);
  const judgements = [whole, ...parts].map(judgeTrace);
  const [judged, ...alone] = judgements;
  expect(judged?.groups).toHaveLength(9);
  expect(inOrder(alone.flatMap(({ groups }) => groups))).toEqual(inOrder(judged?.groups ?? []));
  const identified = (trace: Trace) => identifyGroups(groupsOf(trace));
  expect(inOrder(parts.flatMap(identified))).toEqual(inOrder(identified(whole)));
  const violated = judgements.map(({ clauses }) =>
    clauses.flatMap(({ clause, verdict }) => (verdict.kind === 'violated' ? [clause] : [])),
  );
  expect(violated[0]).toHaveLength(1);
  expect(violated).toEqual([violated[0], [], violated[0], []]);
});
