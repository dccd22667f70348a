import { describe, expect, test } from 'vitest';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { forgetsAfter } from '../../service/faults/counting.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { offlineService } from '../../service/offline.ts';
import { openingOf } from '../simulation/document-opening.ts';
import { clausesWith, simulatedTrace } from '../simulation/simulated-trace.ts';
import { calmWorld } from '../simulation/world.ts';
import { wholeRun } from './whole-run.ts';

function forgetting(share: number): Deviation {
  return { name: 'forgetting', summary: 'counts are lost when idle', patch: forgetsAfter(share) };
}

/** Whether it is seen that too much passes: by the window or by the limit, whichever explains it. */
function isSeen(judgement: Judgement): boolean {
  return clausesWith(judgement, 'violated').some((clause) => /^(?:window|limits)\./.test(clause));
}

/** Seconds of a minute of the wall clock at which runs begin, that are not seen. */
function unseenIn(document: Document, share: number): readonly number[] {
  const opening = openingOf(document);
  const { limits, windowMs } = opening;
  const minuteMs = calmWorld.startMs - (calmWorld.startMs % 60_000);
  return [2, 7, 12, 17, 22, 27, 32, 37, 42, 47].filter((second) => {
    const service = offlineService({ document, limits, windowMs, faults: [forgetting(share)] });
    const world = { ...calmWorld, startMs: minuteMs + 1_000 * second };
    return !isSeen(judgeTrace(simulatedTrace(service, world, 1, opening)));
  });
}

function documentOf(promise: unknown): Document {
  const all = { title: 'all', limit: 60, promise, request: { path: '/items' } };
  return documentSchema.parse({ version: 1, title: 'a', windowSeconds: 60, scopes: { all } });
}

describe('counts that are lost when nothing was asked', () => {
  test.each([1 / 30, 0.1, 0.25, 0.5, 0.8])(
    'for %s of a window are seen where three windows roll',
    (share) => {
      for (const seed of [1, 2, 3, 4]) {
        for (const unannounced of [false, true]) {
          const service = offlineService({
            limits: documentedLimits,
            windowMs: documentedWindowMs,
            faults: [forgetting(share)],
          });
          const { judgement } = wholeRun({ service, setting: { unannounced }, seed });
          expect(isSeen(judgement), `seed ${seed}, unannounced: ${unannounced}`).toBe(true);
        }
      }
    },
    60_000,
  );

  const byTheClock = { kind: 'fixed', aligned: 'clock' } as const;
  const fromTheFirst = { kind: 'fixed', aligned: 'first-request' } as const;

  test.each([
    ['a rolling window', 'rolling', [1 / 30, 0.1, 0.2, 1 / 3]],
    ['windows anywhere', 'fixed', [1 / 30, 0.1, 0.25, 0.5, 0.8]],
    ['windows by the clock', byTheClock, [1 / 30, 0.1, 0.25, 0.5]],
    ['windows from the first request', fromTheFirst, [1 / 30, 0.1, 0.25, 0.5, 0.8]],
    ['at most so many', 'at-most', [1 / 30, 0.1, 0.25, 0.6]],
  ] as const)(
    'are seen in one scope of %s, whenever the run begins',
    (_name, promise, shares) => {
      for (const share of shares) expect([share, unseenIn(documentOf(promise), share)]).toEqual([share, []]);
    },
    60_000,
  );
});
