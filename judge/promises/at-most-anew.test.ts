import { expect, it } from 'vitest';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { caseOf } from '../case.ts';
import type { Group } from '../entries.ts';
import { groupedOf } from '../grouped.ts';
import { admitted, traceOf } from '../testing/traces.ts';
import { proveAtMostAnew } from './at-most-anew.ts';
import { promisedOf } from './promised-group.ts';

const none = { limit: null, remaining: null, reset: null };

/** What is said of media uploads, 30 in a minute, of which so many are admitted at once. */
function attributionOf(promise: PromiseSetting, atOnce: number, later: readonly Exchange[] = []) {
  const trace = traceOf([...Array.from({ length: atOnce }, () => admitted(1_000, 1_010, none)), ...later]);
  const { deployment } = trace.header;
  const { media, ...others } = deployment.document.scopes;
  if (media === undefined) throw new Error('the document has no scope of media uploads');
  const scopes = { ...others, media: { ...media, promise } };
  const held = { ...deployment, document: { ...deployment.document, headers: 'none' as const, scopes } };
  const [analysis] = caseOf({ ...trace, header: { ...trace.header, deployment: held } }).analyses;
  return analysis?.attribution;
}

const promises: readonly PromiseSetting[] = [
  'fixed',
  { kind: 'fixed', aligned: 'clock' },
  { kind: 'fixed', aligned: 'first-request' },
  'unsaid',
];

it.each(promises)('%j: a window may begin within a burst, so that twice the limit passes', (promise) => {
  expect(attributionOf(promise, 60)).toMatchObject({ kind: 'explained' });
});

it.each(promises)('%j: one more than that is too much, wherever the windows lie', (promise) => {
  expect(attributionOf(promise, 61)).toMatchObject({
    kind: 'blamed',
    clause: 'limits.media',
    reason: 'over-admission',
    evidence: {
      expected: 'at most 30 requests of a key admitted in each window, so twice that in less than one',
    },
  });
});

it.each(promises)('%j: too much is shown by one stretch, however much came later', (promise) => {
  const later = Array.from({ length: 100 }, (_, at) => admitted(90_000 + at, 90_010 + at, none));
  expect(attributionOf(promise, 61, later)).toMatchObject({
    evidence: { observed: expect.stringMatching(/^\d+ of key A at media admitted within 0\.\d{3} s$/) },
  });
});

/** So many at once, each so many seconds after those before. */
const every = (count: number, seconds: number, times: number) =>
  Array.from({ length: times * count }, (_, at) => {
    const sentMs = 2_000 + 1_000 * seconds * Math.floor(at / count);
    return admitted(sentMs, sentMs + 10, none);
  });

const observed = (promise: PromiseSetting, later: readonly Exchange[]) => {
  const found = attributionOf(promise, 0, later);
  return found?.kind === 'blamed' ? [found.evidence.expected, found.evidence.observed] : found?.kind;
};

it.each(promises)(
  '%j: a limit that comes back each 30 s lets more pass than windows of a minute do',
  (promise) => {
    expect(observed(promise, every(30, 30, 4))).toEqual([
      'at most 30 requests of a key admitted in each window, so 90 in less than 2 windows of 60.000 s',
      '91 of key A at media admitted within 90.010 s',
    ]);
  },
);

it('whoever comes back each 45 s is told within four windows, and each 50 s within five', () => {
  const within = (seconds: number, times: number) => observed('unsaid', every(30, seconds, times));
  expect(within(45, 5)).toBe('explained');
  expect(within(45, 6)).toEqual([
    expect.stringContaining('so 150 in less than 4 windows'),
    expect.anything(),
  ]);
  expect(within(49, 7)).toEqual([
    expect.stringContaining('so 180 in less than 5 windows'),
    expect.anything(),
  ]);
  expect(within(52, 12)).toBe('explained');
});

it('a window that whole seconds may cut short is added up less often', () => {
  const trace = traceOf(every(30, 1, 20));
  const [group] = groupedOf(trace).groups;
  const windowsIn = (windowMs: number, limit: number) => {
    const promised = promisedOf({ ...(group as Group), windowMs, limit }, trace.header.deployment);
    return proveAtMostAnew(promised)?.expected.replace(/.*, so /, '');
  };
  expect(windowsIn(4_000, 70)).toBeUndefined();
  expect(windowsIn(6_000, 100)).toBe('300 in less than 2 windows of 6.000 s');
});
