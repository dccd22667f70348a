import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findClause } from '../../contract/clauses/registry.ts';
import { parseTrace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { clausesWith } from './simulated-trace.ts';

const saved: readonly (readonly [string, readonly string[]])[] = [
  ['conforming', []],
  ['fixed-window-first-request', ['window.rolling']],
  ['limit-minus-one', ['limits.media']],
  ['reset-in-milliseconds', ['headers.reset']],
];

/** Traces of one version must be read and judged alike by every later one. */
test.each(saved)('the saved trace %s is judged as on the day it was written', (name, violated) => {
  const text = readFileSync(new URL(`../../judge/testdata/${name}.ndjson`, import.meta.url), 'utf8');
  const judgement = judgeTrace(parseTrace(text));
  const musts = clausesWith(judgement, 'violated').filter((id) => findClause(id)?.level === 'must');
  expect(musts).toEqual(violated);
  expect(clausesWith(judgement, 'crashed')).toEqual([]);
});
