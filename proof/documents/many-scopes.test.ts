import { expect, test } from 'vitest';
import { documentSchema, scopesMax } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { clausesWith, mustUnheld, simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';

test('as many scopes as a document may have are filled at the same time, and each is judged by itself', () => {
  const scopes = Array.from({ length: scopesMax }, (_, at) => [
    `s${at}`,
    { title: `s${at}`, limit: 10 + at, paths: [`/s${at}`], request: { path: `/s${at}` } },
  ]);
  const document = documentSchema.parse({
    ...{ version: 1, title: 'many', windowSeconds: 60, headers: 'none' },
    scopes: Object.fromEntries(scopes),
  });
  const opening = openingOf(document);
  const judged = (more: Readonly<Record<string, number>>) => {
    const limits = { ...opening.limits, ...more };
    const service = offlineService({ document, limits, windowMs: opening.windowMs, faults: [] });
    const trace = simulatedTrace(service, calmWorld, 1, opening);
    expect((trace.exchanges.at(-1)?.sentMs ?? 0) - (trace.exchanges[0]?.sentMs ?? 0)).toBeLessThan(65_000);
    return judgeTrace(trace);
  };
  const kept = judged({});
  expect(mustUnheld(document, kept)).toEqual([]);
  expect(clausesWith(kept, 'violated')).toEqual([]);
  expect(clausesWith(judged({ s7: 18, s20: 29 }), 'violated')).toEqual(['limits.s7', 'limits.s20']);
});
