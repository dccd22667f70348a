import { expect, test } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { scopesMax } from '../../contract/document/scope.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { clausesWith, mustUnheld } from '../simulation/simulated-trace.ts';
import { playedDocument } from './played-document.ts';

test('as many scopes as a document may have are filled at the same time, and each is judged by itself', () => {
  const scopes = Array.from({ length: scopesMax }, (_, at) => [
    `s${at}`,
    { title: `s${at}`, limit: 10 + at, paths: [`/s${at}`], request: { path: `/s${at}` } },
  ]);
  const document = documentSchema.parse({
    ...{ version: 1, title: 'many', windowSeconds: 60, headers: 'none' },
    scopes: Object.fromEntries(scopes),
  });
  const judged = (more: Readonly<Record<string, number>>) => {
    const trace = playedDocument(document, { limits: more });
    expect((trace.exchanges.at(-1)?.sentMs ?? 0) - (trace.exchanges[0]?.sentMs ?? 0)).toBeLessThan(65_000);
    return judgeTrace(trace);
  };
  const kept = judged({});
  expect(mustUnheld(document, kept)).toEqual([]);
  expect(clausesWith(kept, 'violated')).toEqual([]);
  expect(clausesWith(judged({ s7: 18, s20: 29 }), 'violated')).toEqual(['limits.s7', 'limits.s20']);
});
