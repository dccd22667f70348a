import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import type { Entry } from '../entries.ts';
import { promisedIn } from '../testing/proved.ts';
import { admitted, limited, traceOf } from '../testing/traces.ts';
import { withoutAnyRefusal, withTheseRefusals } from '../without-refusals.ts';
import { provingOf } from './provers.ts';

const drawn = fc.array(
  fc.record({
    gapMs: fc.constantFrom(1, 400, 3_000, 9_000),
    tookMs: fc.constantFrom(1, 500, 4_000),
    isLimited: fc.boolean(),
    isUnsure: fc.boolean(),
    isOfOthers: fc.boolean(),
    cost: fc.constantFrom(undefined, 2),
  }),
  { minLength: 2, maxLength: 12 },
);

// Each limit of several is asked what it explains, and then what contradicts it: with other scopes too, where they may share a window.
it.each([
  { kind: 'rolling' },
  { kind: 'at-least' },
  { kind: 'token-bucket', size: 3 },
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'fixed', aligned: 'unsaid' },
  { kind: 'unsaid' },
] as const)(
  'a refusal that %j does not explain contradicts it, beside those of other scopes too',
  (promise) => {
    fc.assert(
      fc.property(drawn, (sent) => {
        let ms = 0;
        const others = new Set<Exchange>();
        const exchanges = sent.map(({ gapMs, tookMs, isLimited, isUnsure, isOfOthers, cost }) => {
          ms += gapMs;
          const one = (isLimited ? limited : admitted)(ms, ms + tookMs, {
            ...(cost !== undefined && { cost }),
            ...(isUnsure && !isLimited && { status: 503 }),
          });
          if (isOfOthers) others.add(one);
          return one;
        });
        const promised = promisedIn(traceOf(exchanges, { limits: { media: 3 }, windowMs: 10_000 }));
        const own = promised.refusals.filter(({ exchange }) => !others.has(exchange));
        const group = { ...promised.group, limited: own };
        const { prove, explained } = provingOf(promise);
        const isContradicted = (one: Entry): boolean => {
          const mine = withTheseRefusals(group, new Set([one.exchange]));
          return prove({ ...promised, group: mine, refusals: [one] }) !== null;
        };
        const alone = { ...promised, group: withoutAnyRefusal(group) };
        const unexplained = own.filter((one) => explained({ ...alone, refusals: [one] }).length === 0);
        expect(unexplained.filter(isContradicted)).toEqual(unexplained);
      }),
      { numRuns: 500 },
    );
  },
);
