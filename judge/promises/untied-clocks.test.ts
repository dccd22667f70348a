import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LimitPromise } from '../../contract/document/further-limit.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { contradictionBy, promisedIn } from '../testing/proved.ts';
import { admitted, type Given, indeterminate, limited, traceOf } from '../testing/traces.ts';
import { proverOf } from './provers.ts';

const promises: readonly LimitPromise[] = [
  { kind: 'rolling' },
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'fixed', aligned: 'unsaid' },
  { kind: 'token-bucket', size: 2 },
  { kind: 'at-most' },
  { kind: 'at-least' },
  { kind: 'unsaid' },
];

const simulation = { id: 'simulation', kind: 'monotonic' as const, offsetMsMax: 0 };
const wall = { id: 'wall', kind: 'wall' as const, offsetMsMax: 0 };
const untied = { clock: 'wall', wallSentMs: null, wallReceivedMs: null };

const made = { admitted, limited, lost: (ms: number, _: number, given: Given) => indeterminate(ms, given) };

/** Requests that such a clock timed. */
function requests(maxLength: number): fc.Arbitrary<readonly Exchange[]> {
  const one = fc.record({
    ms: fc.constantFrom(0, 5, 1_000, 30_000, 59_000, 61_000, 200_000),
    outcome: fc.constantFrom('admitted', 'limited', 'lost'),
  });
  return fc
    .array(one, { minLength: 1, maxLength })
    .map((all) => all.map(({ ms, outcome }) => made[outcome](ms, ms + 5, untied)));
}

test.each(promises)('by a wall clock that nothing was compared with, $kind is never broken', (promise) => {
  fc.assert(
    fc.property(requests(12), (exchanges) => {
      const trace = traceOf(exchanges, { limits: { media: 2 }, clocks: [wall] });
      expect(contradictionBy(proverOf(promise), promisedIn(trace))).toBe(null);
    }),
  );
});

/** Each is two windows from the next: whatever limit there is, none of them is one too many. */
const others = [0, 200_000, 400_000, 600_000].map((ms) => admitted(ms, ms + 5));

test.each(promises)(
  'what such a clock timed, beside others that another one did, breaks no $kind',
  (promise) => {
    fc.assert(
      fc.property(requests(2), (exchanges) => {
        const setting = { limits: { media: 2 }, clocks: [simulation, wall] };
        const trace = traceOf([...others, ...exchanges], setting);
        expect(contradictionBy(proverOf(promise), promisedIn(trace))).toBe(null);
      }),
    );
  },
);
