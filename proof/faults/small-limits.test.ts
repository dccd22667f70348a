/** Rolling windows of small limits, and short ones: few places come back one by one, and soon after each other. */
import { describe, expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { type Document, documentSchema, limitsOf } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import type { Limiter, Rate } from '../../limiters/limiter.ts';
import { everyLimit } from '../../service/faults/fault.ts';
import { otherLimiter } from '../../service/faults/other-window.ts';
import { faults, variants } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { clausesWith, simulatedTrace } from '../simulation/simulated-trace.ts';
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

const limits = [1, 2, 3, 4, 5, 8, 10, 14, 15, 16, 20, 23, 25, 29, 30, 36, 60, 120];

describe.each([5, 10, 12, 15, 20, 30, 60])('in %i s', (windowSeconds) => {
  describe.each([
    [true, 'announced'],
    [false, 'announced by nothing'],
  ])('with waits', (announces, said) => {
    test.each(limits)(`${said}, %i are held`, (limit) => {
      const document = documentOf(limit, windowSeconds, announces);
      // Where so few requests come so far apart, slow answers leave a short window too loosely known.
      const isLoose = limit < 3 && windowSeconds < 10;
      for (const roundTripMs of isLoose ? [1, 20, 60] : [1, 20, 60, 100])
        expect([roundTripMs, unheldOf(document, roundTripMs, false)]).toEqual([roundTripMs, []]);
    });
  });
});

test.each([10, 12, 15, 20, 30, 60, 120, 300])(
  'in %i s, each limit is held of a service that counts what it rejects',
  (windowSeconds) => {
    // In a long window the rungs of the ladder fill one of 23, all but one place.
    const ofWindow = limits.filter((limit) => limit > 2 && !(limit === 23 && windowSeconds > 60));
    for (const limit of [...ofWindow, 33, 40, 41]) {
      const document = documentOf(limit, windowSeconds, false);
      expect([limit, unheldOf(document, 2, true)]).toEqual([limit, []]);
    }
  },
);

describe.each([1, 2])('a limit of %i in a minute', (limit) => {
  const document = documentOf(limit, 60, true);
  const limitsOfDocument = limitsOf(document);
  const played = (faults: Parameters<typeof offlineService>[0]['faults']) => {
    const service = offlineService({ document, limits: limitsOfDocument, windowMs: 60_000, faults });
    return simulatedTrace(service, calmWorld, 1, openingOf(document));
  };
  /** Of one place: what no client can tell from the limit that is kept, and what stays open of small limits. */
  const ofOne = ['fixed-window-first-request', 'token-bucket', 'token-bucket-small', 'counted-twice'];
  const open = ['extend-on-reject', 'two-bucket-counting-rejections'];
  const alike = new Set(limit === 1 ? [...ofOne, ...open] : []);
  const isOfCount = (must: readonly string[]): boolean =>
    everyLimit.every((id) => must.includes(id)) ||
    must.includes('window.rolling') ||
    must.includes('window.length');
  const ofCount = faults.filter(
    ({ must, name, setting }) =>
      setting === undefined &&
      !alike.has(name) &&
      isOfCount(must) &&
      !/minus|-of-(?:messages|standard)$/.test(name),
  );

  test('is broken by many faults', () => expect(ofCount.length).toBeGreaterThan(15));

  test.each(ofCount)('is violated by $name', (fault) => {
    const violated = clausesWith(judgeTrace(played([fault])), 'violated');
    expect(violated.filter((id) => /^(?:limits|window)\./.test(id))).not.toEqual([]);
  });

  test.each(limit === 1 ? open : [])('is not held of %s', (name) => {
    const fault = faults.find((one) => one.name === name);
    const held = clausesWith(judgeTrace(played(fault === undefined ? [] : [fault])), 'held');
    expect(held.filter((id) => /^(?:limits\.all|window)/.test(id))).toEqual([]);
  });

  test('takes no longer and sends no more than its plan says', () => {
    const opening = openingOf(document);
    const plan = planRun({ ...opening, mode: 'full', keys: 2, unannounced: false });
    for (const fault of [null, ...ofCount]) {
      const { exchanges } = played(fault === null ? [] : [fault]);
      expect(exchanges.length).toBeLessThanOrEqual(plan.requestsMax);
      const seconds = ((exchanges.at(-1)?.sentMs ?? 0) - (exchanges[0]?.sentMs ?? 0)) / 1_000;
      if (fault === null) expect(seconds).toBeLessThanOrEqual(plan.seconds);
    }
  });

  test('is held of a run that does not announce itself', () => {
    for (let unannouncedSeed = 1; unannouncedSeed <= 20; unannouncedSeed += 1) {
      const service = offlineService({ document, limits: limitsOfDocument, windowMs: 60_000, faults: [] });
      const judgement = judgeTrace(
        simulatedTrace(service, calmWorld, 1, { ...openingOf(document), unannouncedSeed }),
      );
      expect(clausesWith(judgement, 'held')).toEqual(
        expect.arrayContaining(['limits.all', 'window.rolling', 'window.length']),
      );
    }
  });
});

describe.each([1, 2, 3, 5])('windows that begin anew, of %i in a minute', (limit) => {
  const document = documentOf(limit, 60, false);
  const phases = Array.from({ length: 20 }, (_, at) => at / 20);
  // Of one place, a window that begins with its request is the rolling one.
  const fromRequest = limit === 1 ? [] : [(rate: Rate) => fixedWindowFirstRequest(rate) as Limiter<unknown>];
  const limiters = [
    ...phases.map(
      (phase) => (rate: Rate) => fixedWindow(rate, { phaseMs: phase * rate.windowMs }) as Limiter<unknown>,
    ),
    ...fromRequest,
  ];

  test.each([1, 60, 200])('are never held to roll, where answers take %i ms', (roundTripMs) => {
    const world = { ...calmWorld, latencyMs: (random: () => number) => (roundTripMs / 2) * (0.5 + random()) };
    for (const [at, open] of limiters.entries()) {
      const fault = { name: 'anew', summary: 'begins anew', patch: otherLimiter(open) };
      const service = offlineService({
        document,
        limits: limitsOf(document),
        windowMs: 60_000,
        faults: [fault],
      });
      const judgement = judgeTrace(simulatedTrace(service, world, at, openingOf(document)));
      expect([at, clausesWith(judgement, 'held').includes('window.rolling')]).toEqual([at, false]);
    }
  });
});
