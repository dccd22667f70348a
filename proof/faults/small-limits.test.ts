/** Rolling windows of small limits, and short ones: few places come back one by one, and soon after each other. */
import { describe, expect, test } from 'vitest';
import { planRun } from '../../checks/plan.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow } from '../../limiters/limiter.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { everyLimit } from '../../service/faults/fault.ts';
import { faults } from '../../service/faults.ts';
import type { LimiterOpener } from '../promises/keepers.ts';
import { documentOf, type PromisedRate, promisedTrace, serviceOf } from '../promises/promise-run.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { clausesWith, mustUnheld, simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';

/** Without headers and bodies nothing announces a wait. */
function rollingOf(limit: number, windowSeconds: number, announces: boolean): PromisedRate {
  return { promise: 'rolling', limit, windowSeconds, isBare: !announces };
}

/** A network in which an answer takes about so long. */
function away(roundTripMs: number) {
  return { ...calmWorld, latencyMs: (random: () => number) => (roundTripMs / 2) * (0.5 + random()) };
}

const counting: LimiterOpener = (rate) => openWindow(slidingLogCountingRejections(rate));

/** The clauses that decide and are not held of a service that keeps a document. */
function unheldOf(rate: PromisedRate, roundTripMs: number, open: LimiterOpener | null): readonly string[] {
  const judgement = judgeTrace(promisedTrace(rate, open, { world: away(roundTripMs), seed: 1 }));
  return mustUnheld(documentOf(rate), judgement).map(({ clause }) => clause);
}

const limits = [1, 2, 3, 4, 5, 8, 10, 14, 15, 16, 20, 23, 25, 29, 30, 36, 60, 120];

describe.each([5, 10, 12, 15, 20, 30, 60])('in %i s', (windowSeconds) => {
  describe.each([
    [true, 'announced'],
    [false, 'announced by nothing'],
  ])('with waits', (announces, said) => {
    test.each(limits)(`${said}, %i are held`, (limit) => {
      const rate = rollingOf(limit, windowSeconds, announces);
      // Where so few requests come so far apart, slow answers leave a short window too loosely known.
      const isLoose = limit < 3 && windowSeconds < 10;
      for (const roundTripMs of isLoose ? [1, 20, 60] : [1, 20, 60, 100])
        expect([roundTripMs, unheldOf(rate, roundTripMs, null)]).toEqual([roundTripMs, []]);
    });
  });
});

test.each([10, 12, 15, 20, 30, 60, 120, 300])(
  'in %i s, each limit is held of a service that counts what it rejects',
  (windowSeconds) => {
    // In a long window the rungs of the ladder fill one of 23, all but one place.
    const ofWindow = limits.filter((limit) => limit > 2 && !(limit === 23 && windowSeconds > 60));
    for (const limit of [...ofWindow, 33, 40, 41]) {
      expect([limit, unheldOf(rollingOf(limit, windowSeconds, false), 2, counting)]).toEqual([limit, []]);
    }
  },
);

describe.each([1, 2])('a limit of %i in a minute', (limit) => {
  const rate = rollingOf(limit, 60, true);
  const opening = openingOf(documentOf(rate));
  const played = (faulty: readonly Deviation[]) =>
    promisedTrace(rate, null, { world: calmWorld, seed: 1, faults: faulty });
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
    expect(held.filter((id) => /^(?:limits\.items|window)/.test(id))).toEqual([]);
  });

  test('takes no longer and sends no more than its plan says', () => {
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
      const service = serviceOf(documentOf(rate), null);
      const judgement = judgeTrace(simulatedTrace(service, calmWorld, 1, { ...opening, unannouncedSeed }));
      expect(clausesWith(judgement, 'held')).toEqual(
        expect.arrayContaining(['limits.items', 'window.rolling', 'window.length']),
      );
    }
  });
});

describe.each([1, 2, 3, 5])('windows that begin anew, of %i in a minute', (limit) => {
  const phases = Array.from({ length: 20 }, (_, at) => at / 20);
  // Of one place, a window that begins with its request is the rolling one.
  const fromRequest: readonly LimiterOpener[] =
    limit === 1 ? [] : [(rate) => openWindow(fixedWindowFirstRequest(rate))];
  const byClock = phases.map(
    (phase): LimiterOpener =>
      (rate) =>
        openWindow(fixedWindow(rate, { phaseMs: phase * rate.windowMs })),
  );

  test.each([1, 60, 200])('are never held to roll, where answers take %i ms', (roundTripMs) => {
    for (const [at, open] of [...byClock, ...fromRequest].entries()) {
      const trace = promisedTrace(rollingOf(limit, 60, false), open, { world: away(roundTripMs), seed: at });
      const judgement = judgeTrace(trace);
      expect([at, clausesWith(judgement, 'held').includes('window.rolling')]).toEqual([at, false]);
    }
  });
});
