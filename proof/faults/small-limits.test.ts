/** Rolling windows of small limits, and short ones: few places come back one by one, and soon after each other. */
import { describe, expect, test } from 'vitest';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { type Document, documentSchema, limitsOf } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';

/** Without headers and bodies nothing announces a wait. */
function documentOf(limit: number, windowSeconds: number, announces: boolean): Document {
  const bare = announces ? {} : { headers: 'none', errors: 'none' };
  const all = { title: 'all', limit, request: { path: '/items' } };
  return documentSchema.parse({ version: 1, title: 'a', windowSeconds, ...bare, scopes: { all } });
}

/** The clauses that decide and are not held of a service that keeps a document. */
function unheldOf(document: Document, roundTripMs: number, counts: boolean): readonly string[] {
  const windowMs = document.windowSeconds * 1_000;
  const faults = counts ? variants.filter(({ name }) => name === 'rejections-counted') : [];
  const service = offlineService({ document, limits: limitsOf(document), windowMs, faults });
  const world = { ...calmWorld, latencyMs: (random: () => number) => (roundTripMs / 2) * (0.5 + random()) };
  const judgement = judgeTrace(simulatedTrace(service, world, 1, openingOf(document)));
  return judgement.clauses.flatMap(({ clause, verdict }) => {
    const { level, needs } = clauseIn(document, clause) ?? {};
    return level === 'must' && needs !== 'load' && verdict.kind !== 'held' ? [clause] : [];
  });
}

const limits = [3, 4, 5, 8, 10, 14, 15, 16, 20, 23, 25, 29, 30, 36, 60, 120];

describe.each([5, 10, 12, 15, 20, 30, 60])('in %i s', (windowSeconds) => {
  describe.each([
    [true, 'announced'],
    [false, 'announced by nothing'],
  ])('with waits', (announces, said) => {
    test.each(limits)(`${said}, %i are held`, (limit) => {
      const document = documentOf(limit, windowSeconds, announces);
      for (const roundTripMs of [1, 20, 60, 100])
        expect([roundTripMs, unheldOf(document, roundTripMs, false)]).toEqual([roundTripMs, []]);
    });
  });
});

test.each([10, 12, 15, 20, 30, 60])(
  'in %i s, each limit is held of a service that counts what it rejects',
  (windowSeconds) => {
    for (const limit of limits) {
      const document = documentOf(limit, windowSeconds, false);
      expect([limit, unheldOf(document, 2, true)]).toEqual([limit, []]);
    }
  },
);
