import { expect, test } from 'vitest';
import { settledAfterMs } from '../../contract/bounds.ts';
import { type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits, type Limits, limitIn } from '../../contract/scopes.ts';
import { type Lane, leadMsOf, originMsOf, requestsOf } from '../plan/lane.ts';
import { planScenario, type ScenarioChoices } from './plan-scenario.ts';
import { scenarios } from './scenarios.ts';

type Changes = Partial<DeploymentInput> & { readonly limits?: Limits };

function plan(name: string, choices: ScenarioChoices = {}, changes: Changes = {}) {
  const { limits = documentedLimits, ...settings } = changes;
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  const deployment = deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1', 'http://127.0.0.1:2', 'http://127.0.0.1:3'],
    keyEnv: ['KEY_A'],
    requests: { standard: { path: '/' }, messages: { path: '/' }, media: { path: '/' } },
    ...settings,
  });
  return planScenario(scenario, { deployment, limits, choices });
}

/** What the doc comments of the scenarios promise. */
test.each([
  ['messages-burst', 200 + 250, 450],
  ['media-burst', 20 + 25, 45],
  ['rolling-window', 1_005 + 101, 330],
  ['over-pressure', 2_700, 23],
  ['sustained', 862, 8],
  ['noisy-neighbour', 75 + 155 + 1_550, 31],
  ['mixed-scopes', 543, 450],
  ['many-keys', 2_704, 932],
  ['nodes', 1_050, 1_050],
])('%s sends %i requests, all with keys, and at most %i in a second', (name, requests, peak) => {
  expect(plan(name)).toMatchObject({ requests, peakRequestsPerSecond: peak });
});

test('choices change what they name', () => {
  expect(plan('sustained', { windows: 60 })).toMatchObject({ requests: 30 * 862, seconds: 3_601 });
  expect(plan('many-keys', { keys: 20 }).setting.keys).toBe(20);
  expect(plan('messages-burst', { vus: 300 }).lanes).toMatchObject([{ vus: 300 }]);
  // Each process needs a client, also where one would do.
  expect(plan('rolling-window', { segments: 4 }).lanes.map(vusOf)).toEqual([4, 4]);
});

const vusOf = (lane: Lane) => (lane.kind === 'waves' ? lane.vus : null);

test('names of lanes are such as k6 takes, and differ', () => {
  for (const { name } of scenarios) {
    const names = plan(name).lanes.map((lane) => lane.name);
    expect(new Set(names).size).toBe(names.length);
    for (const one of names) expect(one).toMatch(/^[a-z0-9_]+$/);
  }
});

test.each([2_000, 4_000, 10_000, 60_000])(
  'waves lie around the boundary, rejections below half the limit (window %i ms)',
  (windowMs) => {
    const { lanes } = plan('rolling-window', {}, { windowSeconds: windowMs / 1_000 });
    for (const lane of lanes) {
      if (lane.kind !== 'waves') throw new Error('no waves');
      const limit = limitIn(documentedLimits, lane.scope);
      const wave = (purpose: string) => lane.waves.find((one) => one.purpose === purpose)!;
      const [first, last] = [wave('first-half'), wave('settled')];
      expect(wave('fill').atMs).toBeLessThan(0);
      expect(wave('after-boundary').atMs).toBeGreaterThan(0);
      expect(first.count + wave('fill').count).toBeGreaterThan(limit);
      const rejected =
        first.count + wave('fill').count - limit + wave('after-boundary').count + wave('before-expiry').count;
      expect(rejected).toBeLessThan(limit / 2 + 2);
      // A refusal of the last wave can be judged, and by then even whole-second counting has let the fill go.
      expect(last.atMs - first.atMs).toBeGreaterThan(settledAfterMs(windowMs));
      expect(last.atMs - wave('fill').atMs).toBeGreaterThan(windowMs + 1_000);
      const originMs = originMsOf({ leadMs: leadMsOf(lane), clearMs: 0, windowMs }, 1_760_000_012_345);
      expect(originMs % windowMs).toBe(0);
      expect(originMs + first.atMs).toBeGreaterThan(1_760_000_012_345);
      expect(originMs + first.atMs).toBeLessThan(1_760_000_012_345 + windowMs + 1_000);
    }
  },
);

/** Requests of a lane to the key at a position. */
const sentTo = (position: number, lane: Lane): number =>
  position < lane.keys.count
    ? Math.ceil((('count' in lane ? lane.count : 0) - position) / lane.keys.count)
    : 0;

test('no key of many comes near its limit before three are filled, and all are asked again when it can be judged', () => {
  const { lanes, setting } = plan('many-keys', { keys: 1_000 });
  const before = lanes.filter(({ kind }) => kind === 'stream');
  for (const position of [0, 5, 50, 999]) {
    const sent = before.reduce((sum, lane) => sum + Math.max(0, sentTo(position, lane)), 0);
    expect(sent).toBeLessThan(120);
    expect(sent).toBeGreaterThan(1);
  }
  const [rung, again] = before.slice(-2);
  if (rung?.kind !== 'stream' || again?.kind !== 'stream') throw new Error('no streams');
  expect(again.startMs - rung.startMs).toBeGreaterThan(settledAfterMs(setting.windowMs));
  expect(again.durationMs).toBe(rung.durationMs);
});

test.each([10, 30, 1_000, 10_000])('nor does it of %i keys where few requests pass', (keys) => {
  for (const limit of [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 20, 119]) {
    const { lanes } = plan('many-keys', { keys }, { limits: { ...documentedLimits, standard: limit } });
    const before = lanes.filter(({ kind, name }) => kind === 'stream' && name !== 'again');
    const most = before.reduce((sum, lane) => sum + sentTo(0, lane), 0);
    expect(most, `limit ${limit}`).toBeLessThanOrEqual(Math.max(1, limit - 1));
    // Each key has sent one before it is asked again.
    expect(before.at(-1)?.keys, `limit ${limit}`).toEqual({ first: 0, count: keys });
    expect(before.every((lane) => 'count' in lane && lane.count >= lane.keys.count)).toBe(true);
  }
});

test('less than a limit is sent for long, and nothing where that is nothing', () => {
  const sent = (limits: Limits) =>
    plan('sustained', {}, { limits }).lanes.map((lane) => [lane.scope, 'count' in lane ? lane.count : 0]);
  expect(sent({ standard: 2, messages: 3, media: 4 })).toEqual([
    ['standard', 2],
    ['messages', 2],
    ['media', 4],
  ]);
  expect(sent({ standard: 1, messages: 1, media: 30 })).toEqual([['media', 56]]);
});

const smallLimits = [1, 2, 3, 4, 5] as const;

test('k6 takes no lane that sends nothing: none of any scenario does, however small the limit', () => {
  for (const limit of smallLimits) {
    const limits = { standard: limit, messages: limit, media: limit };
    for (const { name } of scenarios) {
      const empty = plan(name, {}, { limits }).lanes.filter((lane) => requestsOf(lane) === 0);
      expect(empty, `${name}, a limit of ${limit}`).toEqual([]);
    }
  }
});

test.each(smallLimits)(
  'of a limit of %i the neighbour keeps within it, and sends when it can be judged',
  (limit) => {
    const { lanes } = plan('noisy-neighbour', {}, { limits: { ...documentedLimits, messages: limit } });
    const [alone, beside, flood] = lanes;
    if (alone?.kind !== 'stream' || beside?.kind !== 'stream' || flood?.kind !== 'stream')
      throw new Error('no streams');
    const momentsMs = [alone, beside].flatMap(({ startMs, durationMs, count }) =>
      Array.from({ length: count }, (_, at) => startMs + (at * durationMs) / count),
    );
    const most = momentsMs.map(
      (fromMs) => momentsMs.filter((ms) => ms >= fromMs && ms - fromMs <= settledAfterMs(60_000)).length,
    );
    expect(Math.max(...most)).toBeLessThanOrEqual(limit);
    const lastMs = Math.max(...momentsMs);
    expect(lastMs).toBeGreaterThan(settledAfterMs(60_000));
    expect(lastMs).toBeLessThan(flood.startMs + flood.durationMs);
  },
);
