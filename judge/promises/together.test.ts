import { expect, it } from 'vitest';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { groupsOf } from '../entries.ts';
import { admitted, type Given, limited, traceOfDocument } from '../testing/traces.ts';
import { admittedBeyond } from './together.ts';

const ofB: Given = { key: 'B' };
const at = (share: number, answer = admitted, given: Given = {}): Exchange =>
  answer(100_000 * share, 100_000 * share, given);

/** What shows two keys to be counted apart, where each has two requests in fixed windows of 1,000 s, which begin whenever. */
function apartBy(exchanges: readonly Exchange[], promise: PromiseSetting = 'fixed') {
  const scopes = { media: { title: 'media', limit: 2, promise } };
  const trace = traceOfDocument(
    exchanges.toSorted((left, right) => left.sentMs - right.sentMs),
    { scopes, windowSeconds: 1_000 },
    { limits: { media: 2 }, windowMs: 1_000_000 },
  );
  const [groups, { deployment }] = [groupsOf(trace), trace.header];
  const found = admittedBeyond(groups, deployment);
  // Whichever key comes first.
  expect(admittedBeyond(groups.toReversed(), deployment)).toEqual(found);
  return found && { by: found.by.exchange, countedBefore: found.countedBefore };
}

it('too much for one count shows it, by the last of those admitted', () => {
  const last = at(4.5);
  const later = [at(30), at(31, admitted, ofB)];
  const beside = [at(3, admitted, ofB), at(4, admitted, ofB)];
  expect(apartBy([at(0), at(0), ...beside, last, ...later])).toEqual({ by: last, countedBefore: 4 });
  expect(apartBy([at(0), at(0), ...beside, ...later])).toBe(null);
});

it('what one count may have admitted shows nothing', () => {
  expect(apartBy([at(0), at(0), at(5, admitted, ofB)])).toBe(null);
  expect(apartBy([at(0), at(0), at(5, limited), at(10, admitted, ofB)])).toBe(null);
});

/** So long before that nothing from before the run explains a 429. */
const begun = [at(-25), at(-25, admitted, ofB)];
/** One count cannot have a window end before the first 429 and be full at it, nor end later and admit what follows. */
const refused = [...begun, at(0), at(0.1), at(4.7, limited), at(14.65)];
const ofOther = [at(4.8, admitted, ofB), at(4.85, admitted, ofB), at(12, admitted, ofB)];

it('a 429 that each key alone explains, and one count does not, shows it', () => {
  expect(apartBy([...refused, ...ofOther])).toEqual({ by: refused.at(-1), countedBefore: 3 });
  expect(apartBy(refused)).toBe(null);
  expect(apartBy([...begun, ...ofOther])).toBe(null);
});

it('it shows nothing where one key alone does not explain its own', () => {
  expect(apartBy([...refused, ...ofOther, at(50, limited, ofB)])).toBe(null);
  expect(apartBy([...refused, ...ofOther, at(50, limited)])).toBe(null);
});

it('of keys that began at different times the last one tells from when on nothing from before the run counts', () => {
  const swapped = (exchanges: readonly Exchange[]) =>
    exchanges.map((one): Exchange => ({ ...one, key: one.key === 'A' ? 'B' : 'A' }));
  const [ofA, ...others] = [...begun, ...refused.slice(2), ...ofOther];
  const [, ...lateB] = others;
  expect(apartBy(swapped([...begun, ...refused.slice(2), ...ofOther]))).not.toBe(null);
  expect(apartBy([ofA as Exchange, ...lateB])).toBe(null);
  expect(apartBy(swapped([ofA as Exchange, ...lateB]))).toBe(null);
});

it('what was counted before is said in units', () => {
  const last = at(4, admitted, { cost: 2 });
  const sent = [at(0, admitted, { cost: 2 }), at(3, admitted, { ...ofB, cost: 2 }), last];
  expect(apartBy(sent)).toEqual({ by: last, countedBefore: 4 });
});

it('what was counted before is that of its own window', () => {
  const beganAt = (share: number) => [
    at(share),
    at(share),
    at(share + 1, admitted, ofB),
    at(share + 1, admitted, ofB),
  ];
  const all = [0, 10, 20].flatMap(beganAt);
  expect(apartBy(all)).toEqual({ by: all.at(-1), countedBefore: 3 });
  // By the clock a window begins 960 s later: what came less than a window before is of another one.
  const clock = { kind: 'fixed', aligned: 'clock' } as const;
  const close = [7, 10].flatMap(beganAt);
  expect(apartBy(close, clock)).toEqual({ by: close.at(-1), countedBefore: 3 });
});
