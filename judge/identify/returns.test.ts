import { expect, it } from 'vitest';
import { type ObservedRequest, observe } from './observations.ts';
import { returnsOf } from './returns.ts';

const admitted = (sentMs: number, receivedMs: number): ObservedRequest => ({
  sentMs,
  receivedMs,
  outcome: 'admitted',
});
const limited = (sentMs: number, receivedMs: number): ObservedRequest => ({
  sentMs,
  receivedMs,
  outcome: 'limited',
});

// Each begins a millisecond before it was sent: the service's clock may truncate.
it.each([
  ['never, where nothing was refused', [admitted(0, 5), admitted(10, 15)], []],
  ['never, where nothing was admitted after a refusal', [admitted(0, 5), limited(10, 15)], []],
  [
    'between the last refusal and the first admission after it',
    [admitted(0, 5), limited(10, 15), limited(20, 25), admitted(50, 55), admitted(60, 65)],
    [[19, 55]],
  ],
  [
    'each time anew',
    [admitted(0, 5), limited(10, 15), admitted(50, 55), limited(60, 65), admitted(90, 95)],
    [
      [9, 55],
      [59, 95],
    ],
  ],
  [
    'by the earliest answer of those that came back together',
    [admitted(0, 5), limited(10, 15), admitted(50, 80), admitted(51, 60), admitted(52, 70)],
    [[9, 60]],
  ],
  [
    'after a refusal that surely came before, not after one at the same time',
    [admitted(0, 5), limited(10, 15), limited(49, 60), admitted(50, 70)],
    [[9, 70]],
  ],
  ['not where no refusal surely came before', [admitted(0, 5), limited(10, 15), admitted(16, 70)], []],
  [
    'from the millisecond on at which that is sure',
    [admitted(0, 5), limited(10, 15), admitted(16.5, 70)],
    [[9, 70]],
  ],
  [
    'after the first of two refusals, if not surely after the other',
    [admitted(0, 5), limited(10, 40), limited(20, 30), admitted(36, 70)],
    [[9, 70]],
  ],
  [
    'whichever of two refusals was sent later',
    [admitted(0, 5), limited(10, 40), limited(20, 30), admitted(50, 70)],
    [[19, 70]],
  ],
])('capacity came back %s', (_, trace, spans) => {
  expect(returnsOf(observe(trace)).map(({ lowMs, highMs }) => [lowMs, highMs])).toEqual(spans);
});
