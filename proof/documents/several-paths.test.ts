import { expect, test } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { findFault } from '../../service/faults.ts';
import { clausesWith, mustUnheld } from '../simulation/simulated-trace.ts';
import { playedDocument } from './played-document.ts';

/** All sheets share one limit, and a run asks for two of them. */
const document = documentSchema.parse({
  version: 1,
  title: 'sheets',
  windowSeconds: 60,
  scopes: {
    rows: {
      title: 'rows of a sheet',
      limit: 120,
      paths: ['/sheets/{sheet}/rows'],
      request: { path: '/sheets/1/rows' },
      others: [{ request: { path: '/sheets/2/rows' } }],
    },
    rest: { title: 'all other routes', limit: 30, request: { path: '/sheets' } },
  },
});

function judged(fault: string) {
  return judgeTrace(playedDocument(document, { faults: [findFault(fault)] }));
}

test('paths that are counted together are, and a window for each of them is found', () => {
  const kept = judged('no fault');
  expect(mustUnheld(document, kept)).toEqual([]);
  expect(clausesWith(kept, 'violated')).toEqual([]);
  expect(clausesWith(judged('window-per-path'), 'violated')).toEqual(['limits.rows']);
});
