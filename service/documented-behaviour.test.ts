import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentedBehaviour } from './documented-behaviour.ts';

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
