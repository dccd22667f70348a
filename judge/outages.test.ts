import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import type { Document } from '../contract/document/document.ts';
import type { Exchange } from '../contract/exchange.ts';
import { caseOf } from './case.ts';
import type { Group } from './entries.ts';
import { isOneOutage } from './outages.ts';
import {
  admitted,
  type Given,
  indeterminate,
  limited,
  times,
  traceOf,
  traceOfDocument,
} from './testing/traces.ts';

const none = { limit: null, remaining: null, reset: null };
const out = { ...none, status: 503, outcome: 'limited' } as const;

/** What is said of media uploads, 30 in a minute by the document, or twenty by the service where `refusedAt` says so. */
function attributionOf(document: Partial<Document>, refusedAt: readonly number[], given: Given = {}) {
  const served = Array.from({ length: 20 }, (_, at) => admitted(at * 4_000, at * 4_000 + 5, none));
  const refused = refusedAt.map((ms) => limited(ms, ms + 5, { ...out, ...given }));
  const trace = traceOf([...served, ...refused].toSorted((left, right) => left.sentMs - right.sentMs));
  const { deployment } = trace.header;
  const held = { ...deployment, document: { ...deployment.document, ...document } };
  const [analysis] = caseOf({ ...trace, header: { ...trace.header, deployment: held } }).analyses;
  return analysis?.attribution;
}

const bare = { headers: 'none', refusal: { status: 503 } } as const;

it('one stretch of refusals may be an outage, and is blamed on nobody', () => {
  expect(attributionOf(bare, [70_100])).toMatchObject({
    kind: 'unsure',
    reason: expect.stringContaining('one outage explains what media did as well'),
  });
  expect(attributionOf(bare, [69_000, 70_100, 71_500])).toMatchObject({ kind: 'unsure' });
});

it('two stretches with an admission between them are no single outage', () => {
  expect(attributionOf(bare, [66_100, 74_100])).toMatchObject({ kind: 'blamed' });
});

it('stretches are told apart by their requests, whose numbers begin anew with each driver', () => {
  expect(attributionOf(bare, [10_100, 70_100], { index: 7 })).toMatchObject({ kind: 'unsure' });
});

it('a refusal that no outage looks like is blamed at once', () => {
  expect(attributionOf({ ...bare, refusal: { status: 403 } }, [70_100])).toMatchObject({ kind: 'blamed' });
});

it('where headers are promised, a 503 without them is no refusal, unless its body says so', () => {
  const by = (given: Given) => attributionOf({ refusal: { status: 503 } }, [66_100, 74_100], given);
  expect(by({ body: '<h1>503</h1>' })).toMatchObject({ kind: 'explained' });
  expect(by({})).toMatchObject({ kind: 'blamed' });
});

const promises = [
  'at-most',
  { kind: 'rolling' },
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'first-request' },
  { kind: 'token-bucket', size: 3 },
] as const;

/** What a key did whose limit is 3 in 60 s, by a document that refuses with that status and promises no headers. */
function analysisOf(exchanges: readonly Exchange[], promise: (typeof promises)[number], status: number) {
  const trace = traceOfDocument(
    exchanges.map((one) => (one.outcome === 'limited' ? { ...one, status } : one)),
    {
      ...{ headers: 'none', errors: 'none', refusal: { status } },
      scopes: { media: { title: 'media', limit: 3, promise } },
    },
    { limits: { media: 3 } },
  );
  return caseOf(trace).analyses[0]!;
}

/** The refusals of each stretch between two admissions, as they are defined. */
function stretchesOf({ admitted: passed, limited: refused }: Group): readonly ReadonlySet<Exchange>[] {
  return [Number.NEGATIVE_INFINITY, ...passed.map(({ lowMs }) => lowMs)].map((fromMs, at) => {
    const untilMs = passed
      .slice(at)
      .reduce((ms, { highMs }) => Math.min(ms, highMs), Number.POSITIVE_INFINITY);
    const out = refused.filter(({ lowMs, highMs }) => highMs > fromMs && lowMs < untilMs);
    return new Set(out.map(({ exchange }) => exchange));
  });
}

/** Requests of up to six windows, some of them slow, and some without an answer. */
const someRequests = fc
  .array(
    fc.record({
      kind: fc.constantFrom('admitted', 'admitted', 'limited', 'limited', 'limited', 'unanswered'),
      atMs: fc.integer({ min: 0, max: 360 }).map((seconds) => seconds * 1_000),
      tookMs: fc.constantFrom(5, 5, 5, 4_000, 70_000),
    }),
    { minLength: 3, maxLength: 14 },
  )
  .map((requests) =>
    [{ kind: 'admitted', atMs: 0, tookMs: 5 }, ...requests]
      .toSorted((left, right) => left.atMs - right.atMs)
      .map(({ kind, atMs, tookMs }) => {
        if (kind === 'admitted') return admitted(atMs, atMs + tookMs, none);
        if (kind === 'limited') return limited(atMs, atMs + tookMs, out);
        return indeterminate(atMs, none);
      }),
  );

test('what one outage explains is what one stretch explains of those tried one by one', () => {
  const seen = { all: 0, explained: 0, blamed: 0 };
  fc.assert(
    fc.property(someRequests, fc.constantFrom(...promises), (exchanges, promise) => {
      seen.all += 1;
      const { attribution } = analysisOf(exchanges, promise, 503);
      const alone = analysisOf(exchanges, promise, 403);
      if (alone.attribution.kind !== 'blamed') {
        expect(attribution.kind).toBe(alone.attribution.kind);
        return;
      }
      const isExplained = stretchesOf(alone.group).some((refusals) => {
        const ids = new Set([...refusals].map(({ requestId }) => requestId));
        const without = exchanges.map(
          (one): Exchange => (ids.has(one.requestId) ? { ...one, outcome: 'refused' } : one),
        );
        return analysisOf(without, promise, 403).attribution.kind !== 'blamed';
      });
      seen[isExplained ? 'explained' : 'blamed'] += 1;
      expect(attribution.kind).toBe(isExplained ? 'unsure' : 'blamed');
    }),
    { numRuns: 300 },
  );
  expect(seen.explained / seen.all).toBeGreaterThan(0.1);
  expect(seen.blamed / seen.all).toBeGreaterThan(0.1);
});

test('of many stretches those are not tried one by one that explain nothing together', () => {
  const apart = times(2_000, (at) =>
    [admitted, limited][at % 2]!(at * 1_000, at * 1_000 + 5, at % 2 === 0 ? none : out),
  );
  const { group } = analysisOf(apart, 'at-most', 403);
  const asked: number[] = [];
  // A refusal at the beginning is wrong, and one at the end.
  const ends = [group.limited[0]!.exchange, group.limited.at(-1)!.exchange];
  const isRight = ({ limited: left }: Group): boolean => {
    asked.push(left.length);
    return left.every(({ exchange }) => !ends.includes(exchange));
  };
  expect(isOneOutage(group, isRight)).toBe(false);
  expect(asked).toEqual([0, 501, 499]);
});
