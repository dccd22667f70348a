import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentSchema } from '../contract/document/document.ts';
import { behaviourOf, documentedBehaviour } from './documented-behaviour.ts';
import { answersAt } from './testing/items.ts';

it('dates an answer as HTTP writes it, whichever second the one before had', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
  fc.assert(
    fc.property(moment, fc.array(fc.integer({ min: -100_000_000, max: 100_000_000 })), (fromMs, later) => {
      for (const ms of [0, ...later]) {
        const nowMs = Math.max(0, fromMs + ms);
        expect(documentedBehaviour.date(nowMs)).toBe(new Date(nowMs).toUTCString());
      }
    }),
  );
});

it.each([6, 7, 13])(
  'windows by the clock begin when those since 1970 end, beside a bucket of 22 at %i a second',
  (limit) => {
    const clock = { limit: 1, windowSeconds: 107, promise: { kind: 'fixed', aligned: 'clock' } };
    const bucket = { limit, windowSeconds: 1, promise: { kind: 'token-bucket', size: 22 }, also: [clock] };
    const boundaryMs = 16_448_599 * 107_000;
    const moments = [-30_000, -2, 2, 30_000, 106_998, 107_002].map((ms) => boundaryMs + ms);
    const statuses = answersAt(moments, { promised: bucket }).map((answer) => answer?.status);
    expect(statuses).toEqual([200, 429, 200, 429, 429, 200]);
  },
);

it.each([
  ['at-most', undefined, true],
  ['at-most', 'at-most', true],
  // What is promised to be let pass is let pass.
  ['at-most', 'rolling', false],
  ['rolling', 'at-most', false],
  ['unsaid', undefined, false],
])(
  'shuts out for as long as the document says who exceeds what is %s, and %s beside it: %s',
  (promise, other, blocks) => {
    const also = other === undefined ? {} : { also: [{ limit: 1, windowSeconds: 2, promise: other }] };
    const document = documentSchema.parse({
      ...{ version: 1, title: 'x', windowSeconds: 1, errors: 'none', refusal: { waitSeconds: 30 } },
      scopes: { all: { title: 'all', limit: 2, promise, ...also } },
    });
    const window = behaviourOf(document).openWindow('all', { limit: 2, windowMs: 1_000 });
    const admitted = [0, 1, 2, 5_000, 30_003].map((ms) => window.decide(ms).admitted);
    expect(admitted.slice(2)).toEqual([false, !blocks, true]);
  },
);
