import { expect, test } from 'vitest';
import type { StreamLane } from '../plan/lane.ts';
import { k6Options } from './k6-options.ts';

const flood: StreamLane = {
  name: 'flood',
  kind: 'stream',
  scope: 'media',
  windowMs: 60_000,
  keys: { first: 0, count: 1 },
  nodes: 'first',
  purpose: 'flood',
  startMs: 0,
  count: 1_550,
  durationMs: 62_000,
};

const given = {
  keyAliases: ['A'],
  requests: 1_550,
  processes: 1,
  timeoutMs: 1_000,
  userAgent: 'test',
  addresses: {},
};
const looks = { headStartMs: 500, failureShare: 0.5 };

test.each([100, 500, 2_999, 3_000, 10_000, 60_000])(
  'k6 is never told to begin with more clients than it may have (time-out %i ms)',
  (timeoutMs) => {
    const { scenarios = {} } = k6Options([flood], { ...given, timeoutMs });
    const { preAllocatedVUs, maxVUs } = scenarios['flood'] as { preAllocatedVUs: number; maxVUs: number };
    expect(preAllocatedVUs).toBeLessThanOrEqual(maxVUs);
    expect(preAllocatedVUs).toBeGreaterThan(0);
  },
);

test.each([1, 3])(
  'one client of each process is free for what arrives after the last request (%i processes)',
  (processes) => {
    const of = { ...given, requests: 72, timeoutMs: 10_000, processes };
    const { scenarios = {} } = k6Options([{ ...flood, count: 72, durationMs: 720 }], of);
    expect(scenarios['flood']).toMatchObject({
      duration: '1220ms',
      preAllocatedVUs: 72 + processes,
      maxVUs: 72 + processes,
    });
  },
);

test('a k6 that runs alone ends where too many requests fail, unless the settings say never', () => {
  const failing = (options: ReturnType<typeof k6Options>) => options.thresholds?.['http_req_failed'];
  expect(failing(k6Options([flood], { ...given, looks }))).toEqual([
    { threshold: 'rate<=0.5', abortOnFail: true, delayAbortEval: '5s' },
  ]);
  expect(failing(k6Options([flood], { ...given, looks: { ...looks, failureShare: 1 } }))).toBeUndefined();
  expect(failing(k6Options([flood], given))).toBeUndefined();
});

test('fewer requests than planned cross a threshold; of several processes, what any of them left out', () => {
  const of = (processes: number) =>
    k6Options([flood, { ...flood, name: 'other' }], { ...given, requests: 3_100, processes }).thresholds;
  expect(of(1)).toMatchObject({ http_reqs: ['count>=3100'] });
  expect(of(1)).not.toHaveProperty('dropped_iterations');
  expect(of(2)).toMatchObject({ dropped_iterations: ['count==0'] });
  expect(of(2)).not.toHaveProperty('http_reqs');
});

test('a k6 that runs alone ends with 99 where more than the bound of a lane is counted within one window', () => {
  const counted = { ...flood, counted: { fromMs: 0, most: 30 } };
  const countsOf = ({ thresholds = {} }: ReturnType<typeof k6Options>) =>
    Object.entries(thresholds).filter(([name]) => name.startsWith('admitted'));
  expect(countsOf(k6Options([counted], { ...given, looks }))).toEqual([
    ['admitted{scenario:flood,within:window}', ['count<=30']],
  ]);
  expect(countsOf(k6Options([flood], { ...given, looks }))).toEqual([]);
  expect(countsOf(k6Options([counted], given))).toEqual([]);
});

test('samples are told apart by lane, scope and key, but many keys by none', () => {
  const tagsOf = (lane: StreamLane) => k6Options([lane], given).scenarios?.['flood']?.tags;
  expect(tagsOf(flood)).toEqual({ lane: 'flood', scope: 'media', key: 'A' });
  expect(tagsOf({ ...flood, keys: { first: 0, count: 2 } })).toEqual({ lane: 'flood', scope: 'media' });
});
