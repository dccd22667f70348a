import { describe, expect, test } from 'vitest';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { documentSchema } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { everyLimit, type Fault } from '../../service/faults/fault.ts';
import { faults } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { clausesWith, simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';

/** A document that says of one scope what the messaging document says of three. */
function documentOf(limit: number) {
  const all = { title: 'all', limit, request: { path: '/items' } };
  return documentSchema.parse({ version: 1, title: 'a', windowSeconds: 60, scopes: { all } });
}

/** What a fault has to violate there; `null` where it is about other scopes, or needs a setting of its own. */
function mustOf({ name, must, setting }: Fault, limit: number): readonly string[] | null {
  if (setting !== undefined || /-of-(?:messages|standard)$/.test(name)) return null;
  const limits = must.filter((id) => id.startsWith('limits.') && id !== 'limits.per-key');
  if (limits.length > 0 && !everyLimit.every((id) => must.includes(id))) return null;
  // A single window that was left alone before is back as a shorter one would be.
  if (name === 'forgets-idle-keys') return ['window.length'];
  const ids = new Set<string>(clausesOf(documentOf(limit)).map(({ id }) => id));
  const others = must.filter((id) => !limits.includes(id));
  if (others.some((id) => !ids.has(id))) return null;
  return limits.length > 0 ? ['limits.all', ...others] : others;
}

// Where three scopes are filled, the one of 300 tells what another one might not.
describe.each([30, 60, 120])('a fault in one scope alone, of %i a minute', (limit) => {
  const known = faults.flatMap((fault) => {
    const must = mustOf(fault, limit);
    return must === null || must.length === 0 ? [] : [{ ...fault, violates: must }];
  });

  test('is one of many', () => expect(known.length).toBeGreaterThan(50));

  test.each(known)('$name is told', (fault) => {
    const opening = openingOf(documentOf(limit));
    const { limits, windowMs, deployment } = opening;
    const service = offlineService({ document: deployment.document, limits, windowMs, faults: [fault] });
    const judgement = judgeTrace(simulatedTrace(service, calmWorld, 1, opening));
    expect(clausesWith(judgement, 'violated')).toEqual(expect.arrayContaining([...fault.violates]));
  });
});
