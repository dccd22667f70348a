import { describe, expect, it, test } from 'vitest';
import type { ClauseId } from '../../contract/clauses/registry.ts';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { judgeTrace } from '../judge-trace.ts';
import { admitted, type Given, indeterminate, limited, times, traceOf } from '../testing/traces.ts';

const own: Given = { scope: 'standard', driver: 'k6', scenario: 'burst' };
const before: Given = { scope: 'standard' };

type Said = {
  readonly promise?: PromiseSetting;
  readonly also?: readonly object[];
  readonly countedBy?: 'account';
  readonly exclusiveKeys?: false;
};

/** What a scenario says of a document with one limit, 4 in 60 s. */
function verdictOf(said: Said, exchanges: readonly Exchange[], scenario = 'burst') {
  const { countedBy, exclusiveKeys = true, ...limit } = said;
  const document = {
    version: 1,
    title: 'an API',
    windowSeconds: 60,
    headers: 'none',
    errors: 'none',
    ...(countedBy === undefined ? {} : { countedBy }),
    scopes: { standard: { title: 'all', limit: 4, ...limit } },
  };
  const line: LoadLine = {
    ...{ kind: 'load', scenario, state: 'complete', reason: null, key: 'A', scope: 'standard' },
    requestsSent: null,
  };
  const trace = traceOf(exchanges, {
    limits: { standard: 4 },
    mode: 'load',
    deployment: { document, exclusiveKeys },
  });
  const { clauses } = judgeTrace({ ...trace, loads: [line] });
  return clauses.find(({ clause }) => clause === (`load.${scenario}` as ClauseId))?.verdict;
}

const sentAt = (atMs: number, passed: number, refused: number, given: Given = own): readonly Exchange[] => [
  ...times(passed, () => admitted(atMs, atMs + 10, given)),
  ...times(refused, () => limited(atMs, atMs + 10, given)),
];

const held = (summary: string) => ({ kind: 'held', summary });
const open = (reason: string) => ({ kind: 'inconclusive', reason: expect.stringContaining(reason) });
const tooMany = { kind: 'violated', reason: 'over-admission' };

const exactly = held('standard 4 of 6 admitted within 0.010 s');
const begunAnew = open('instead of 4, as where a window begins anew meanwhile');
const unrefused = open('none was refused');
const usedBefore = open('instead of 4: the key may have been in use before');

describe('a burst is held by what its kind of limit says of it', () => {
  const first = { kind: 'fixed', aligned: 'first-request' } as const;
  const clock = { kind: 'fixed', aligned: 'clock' } as const;
  test.each<readonly [PromiseSetting, passed: number, refused: number, expected: object]>([
    ['rolling', 4, 2, exactly],
    ['rolling', 5, 1, tooMany],
    ['rolling', 3, 3, usedBefore],
    [first, 4, 2, exactly],
    // A window from before the run may end within the burst.
    [first, 5, 1, begunAnew],
    [first, 4, 0, unrefused],
    [first, 3, 3, usedBefore],
    [clock, 4, 2, exactly],
    [clock, 5, 1, tooMany],
    ['fixed', 4, 2, exactly],
    // A window may begin at any moment: so many are none too many, and yet no single window.
    ['fixed', 6, 1, begunAnew],
    ['token-bucket', 4, 2, exactly],
    ['token-bucket', 4, 0, unrefused],
    ['token-bucket', 7, 1, tooMany],
    ['unsaid', 4, 2, exactly],
    ['unsaid', 6, 2, held('standard 6 of 8 admitted within 0.010 s')],
    ['unsaid', 7, 2, begunAnew],
    ['at-most', 1, 5, held('standard 1 of 6 admitted within 0.010 s')],
    ['at-most', 4, 0, unrefused],
    ['at-most', 5, 1, tooMany],
    ['at-least', 6, 0, held('standard 6 of 6 admitted within 0.010 s')],
    ['at-least', 4, 2, exactly],
    ['at-least', 3, 3, usedBefore],
  ])('%o: %i admitted, %i refused', (promise, passed, refused, expected) => {
    expect(verdictOf({ promise }, sentAt(30_000, passed, refused))).toMatchObject(expected);
  });

  it('with what came just before it', () => {
    const sent = [...sentAt(-1_000, 1, 0, before), ...sentAt(0, 3, 3)];
    const text = 'standard 3 of 6 admitted within 0.010 s, 1 just before';
    expect(verdictOf({ promise: 'fixed' }, sent)).toEqual(held(text));
  });

  it('not where what came before it leaves more room than passed', () => {
    const sent = [...sentAt(-1_000, 1, 0, before), ...sentAt(0, 2, 3)];
    expect(verdictOf({ promise: 'fixed' }, sent)).toMatchObject(
      open('2 of 5 admitted within 0.010 s instead of 3'),
    );
  });

  it('with what may have come back while it lasted', () => {
    const slow = (passed: number) => [
      ...times(passed, () => admitted(0, 20_000, own)),
      limited(0, 20_000, own),
    ];
    expect(verdictOf({ promise: 'unsaid' }, slow(7))).toEqual(
      held('standard 7 of 8 admitted within 20.000 s'),
    );
    expect(verdictOf({ promise: 'unsaid' }, slow(8))).toMatchObject(begunAnew);
  });

  it('not by the 429s of keys that others may use', () => {
    const said = { promise: 'fixed', exclusiveKeys: false } as const;
    expect(verdictOf(said, sentAt(0, 4, 2))).toMatchObject(open('others may use key A too'));
    expect(verdictOf({ ...said, promise: 'at-least' }, sentAt(0, 6, 0))).toMatchObject({ kind: 'held' });
  });

  it('by the requests of the script, some of which Go may have sent twice', () => {
    const kept: Given = { ...own, method: 'GET' };
    expect(verdictOf({ promise: 'at-least' }, sentAt(0, 4, 0, kept))).toEqual(
      held('standard 4 of 4 admitted within 0.010 s'),
    );
  });

  it('not where something else was answered, or nothing', () => {
    const sent = [...sentAt(0, 4, 2), indeterminate(0, own)];
    expect(verdictOf({ promise: 'fixed' }, sent)).toMatchObject(open('1 of 7 answered neither 2xx nor 429'));
  });
});

it('the whole of what the key did decides: an earlier request may have begun the window that ends in a burst', () => {
  const promise = { kind: 'fixed', aligned: 'first-request' } as const;
  const sent = [...sentAt(-200_000, 1, 0, before), ...sentAt(0, 3, 0), ...sentAt(30, 4, 1)];
  expect(verdictOf({ promise }, sent)).toMatchObject(tooMany);
  const begun = [...sent.slice(0, 1), ...sentAt(-59_985, 1, 0, before), ...sent.slice(1)];
  expect(verdictOf({ promise }, begun)).toMatchObject({ kind: 'inconclusive' });
});

it('of several limits the one that lets the fewest pass at once decides, and any may take a grant away', () => {
  const also = [{ name: 'short', limit: 2, windowSeconds: 5 }];
  expect(verdictOf({ also }, sentAt(0, 2, 1))).toEqual(held('standard 2 of 3 admitted within 0.010 s'));
  expect(verdictOf({ also }, sentAt(0, 1, 1))).toMatchObject(open('instead of 2'));
  expect(verdictOf({ also, promise: 'at-most' }, sentAt(0, 1, 1))).toMatchObject({ kind: 'held' });
  expect(verdictOf({ also }, sentAt(0, 3, 0))).toMatchObject(tooMany);
  const larger = [{ name: 'long', limit: 40, windowSeconds: 600 }];
  expect(verdictOf({ also: larger }, sentAt(0, 4, 2))).toMatchObject(exactly);
});

describe('keys that share a window', () => {
  const said = { countedBy: 'account' } as const;

  it('are one key', () => {
    const sent = [...sentAt(-10_000, 2, 0, { ...before, key: 'B' }), ...sentAt(0, 2, 4)];
    expect(verdictOf(said, sent)).toEqual(held('standard 2 of 6 admitted within 0.010 s, 2 just before'));
  });

  it('show nothing new where they deviated before', () => {
    // Both keys are needed for too many, and one alone has too many: so they are not counted apart.
    const earlier = [...sentAt(-10_000, 5, 0, { ...before, key: 'B' }), ...sentAt(-9_000, 1, 0, before)];
    expect(verdictOf(said, [...earlier, ...sentAt(0, 0, 6)])).toMatchObject(
      open('limits.standard was violated before the scenario began'),
    );
  });
});

it('nodes that count apart are not held by what two windows would explain', () => {
  const sent = sentAt(0, 8, 2, { ...own, scenario: 'nodes' }).map((one, at) => ({ ...one, node: at % 2 }));
  expect(verdictOf({ promise: 'fixed' }, sent, 'nodes')).toMatchObject(begunAnew);
  expect(verdictOf({ promise: 'at-most' }, sent, 'nodes')).toMatchObject(tooMany);
});

describe('pressure', () => {
  const stream = (outcomeAt: (at: number) => 'admitted' | 'limited') =>
    times(24, (at) => {
      const given: Given = { ...own, scenario: 'over-pressure' };
      return outcomeAt(at) === 'admitted'
        ? admitted(5_000 * at, 5_000 * at + 10, given)
        : limited(5_000 * at, 5_000 * at + 10, given);
    });

  it('is held without a refusal only where nothing has to be refused', () => {
    const all = stream(() => 'admitted');
    expect(verdictOf({ promise: 'at-least' }, all, 'over-pressure')).toMatchObject({ kind: 'held' });
    expect(verdictOf({ promise: 'at-most' }, all, 'over-pressure')).toMatchObject(tooMany);
    const also = [{ name: 'long', limit: 40, windowSeconds: 600 }];
    expect(verdictOf({ promise: 'at-least', also }, all, 'over-pressure')).toMatchObject(
      open('no refusal at standard was late enough'),
    );
  });

  it('is open until refusals are later than the longest window explains', () => {
    const also = [{ name: 'long', limit: 40, windowSeconds: 600 }];
    // Four pass in each window.
    const sent = stream((at) => (at % 12 < 4 ? 'admitted' : 'limited'));
    expect(verdictOf({ promise: 'fixed' }, sent, 'over-pressure')).toMatchObject({ kind: 'held' });
    expect(verdictOf({ promise: 'fixed', also }, sent, 'over-pressure')).toMatchObject(
      open('no refusal at standard was late enough'),
    );
    // No run waits for one that is longer than an hour.
    const day = [{ name: 'day', limit: 400, windowSeconds: 86_400 }];
    expect(verdictOf({ promise: 'fixed', also: day }, sent, 'over-pressure')).toMatchObject({ kind: 'held' });
  });
});
