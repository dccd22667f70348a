import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { caseOf } from '../case.ts';
import { admitted, type Given, limited, originMs, times, traceOfDocument } from '../testing/traces.ts';

const notes: Given = { scope: 'notes', limit: '4' };
const ofB: Given = { key: 'B' };

type Limits = Readonly<Record<string, unknown>>;

/** What is blamed for what key A did with media uploads: 4 in a window of a minute, unless said otherwise. */
function blamed(exchanges: readonly Exchange[], media: Limits = {}): string | null {
  const scopes = {
    media: { title: 'media', limit: 4, promise: 'fixed', ...media },
    notes: { title: 'notes', limit: 4, promise: 'fixed', paths: ['/notes'] },
  };
  const { analyses } = caseOf(traceOfDocument(exchanges, { scopes }, { limits: { media: 4, notes: 4 } }));
  const found = analyses.find(({ group }) => group.scope === 'media' && group.key === 'A')?.attribution;
  if (found === undefined) throw new Error('nothing is said of media uploads of A');
  if (found.kind === 'blamed') return `${found.clause} ${found.reason}`;
  return found.kind === 'explained' ? null : found.kind;
}

const many = (count: number, ms: number, given: Given = {}) =>
  times(count, (at) => admitted(ms + at, ms + at, given));

/** The run has gone on for a while: nobody who used the key before it explains a 429. */
const begun = admitted(0, 0);
const refusal = limited(205_000, 205_000);

describe('a 429 that the limit does not explain', () => {
  it.each<readonly [string, readonly Exchange[], string]>([
    ['nothing else', [], 'limits.media wrongful-429'],
    ['what another scope took of it', many(3, 201_000, notes), 'limits.per-scope one-window-for-scopes'],
    ['too little of another scope', many(2, 201_000, notes), 'limits.media wrongful-429'],
    ['what another key took of it', many(3, 201_000, ofB), 'limits.per-key one-window-for-keys'],
    ['too little of another key', many(2, 201_000, ofB), 'limits.media wrongful-429'],
  ])('is explained by %s', (_, others, expected) => {
    const full = many(4, 100_000);
    expect(blamed([begun, ...full, admitted(200_000, 200_000), ...others, refusal])).toBe(expected);
  });

  it('is one of a smaller limit where that explains all, whatever others did', () => {
    const smaller = [begun, ...many(3, 200_000), ...many(3, 201_000, notes), refusal];
    expect(blamed(smaller)).toBe('limits.media wrongful-429');
    // Fewer were admitted before the first 429 than in another window: no smaller limit explains both.
    const varied = [begun, ...many(1, 200_000), ...many(3, 201_000, notes), refusal, ...many(4, 400_000)];
    expect(blamed(varied)).toBe('limits.per-scope one-window-for-scopes');
  });
});

describe('of two limits', () => {
  const two = { also: [{ name: 'ten', limit: 2, windowSeconds: 10, promise: 'fixed' }] };

  it('the one is blamed that is exceeded, or that no other one explains', () => {
    expect(blamed([begun, ...many(2, 200_000)], two)).toBe(null);
    expect(blamed([begun, ...many(6, 200_000)], two)).toBe('limits.media.ten over-admission');
    expect(blamed([begun, ...many(2, 200_000), limited(202_000, 202_000)], two)).toBe(null);
    expect(blamed([begun, ...many(1, 200_000), limited(202_000, 202_000)], two)).toBe(
      'limits.media.ten wrongful-429',
    );
  });

  it('a smaller one is blamed where it explains all, though another scope would too', () => {
    const ofTen = [begun, ...many(1, 200_000), ...many(1, 201_000, notes), limited(202_000, 202_000)];
    expect(blamed(ofTen, two)).toBe('limits.media.ten wrongful-429');
    const apart = [200_000, 212_000, 224_000].flatMap((ms) => many(1, ms));
    const ofFirst = [begun, ...apart, ...many(1, 225_000, notes), limited(236_000, 236_000)];
    expect(blamed(ofFirst, two)).toBe('limits.media wrongful-429');
    // More were admitted in a later minute: the smaller one is that of ten seconds, and no other.
    const before = [200_000, 212_000].flatMap((ms) => many(1, ms));
    const later = [300_000, 312_000, 324_000, 336_000, 348_000].flatMap((ms) => many(1, ms));
    const again = [begun, ...before, ...many(1, 213_000, notes), limited(214_000, 214_000), ...later];
    expect(blamed(again, two)).toBe('limits.media.ten wrongful-429');
    // And in later ten seconds too: it is no smaller one.
    expect(blamed([...again, ...many(3, 400_000)], two)).toBe('limits.per-scope one-window-for-scopes');
  });

  it('a 429 that another key explains is of keys together only where its own key was seldom used', () => {
    const refusedBeside = (...own: readonly Exchange[]) =>
      blamed([begun, ...own, ...many(2, 204_000, ofB), refusal], two);
    expect(refusedBeside()).toBe('limits.per-key one-window-for-keys');
    expect(refusedBeside(admitted(100_000, 100_000))).toBe('limits.media wrongful-429');
  });
});

function stepped(ms: number, jumpMs: number): Exchange {
  const wallMs = originMs + ms + jumpMs;
  return admitted(ms, ms, { wallSentMs: wallMs, wallReceivedMs: wallMs });
}

it('nothing is said of what lies on both sides of a jump of the clock', () => {
  const over = (jumpMs: number) => [
    ...many(1, 0),
    ...times(5, (at) => stepped(10_000 + at, at < 3 ? 0 : jumpMs)),
    ...times(4, (at) => stepped(10_010 + at, jumpMs)),
  ];
  expect(blamed(over(0))).toBe('limits.media over-admission');
  expect(blamed(over(5_000))).toBe('unsure');
});
