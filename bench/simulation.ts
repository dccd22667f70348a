import fc from 'fast-check';
import { documentedLimits, documentedWindowMs, scopes } from '../contract/scopes.ts';
import { type Conforming, hostileRun } from '../proof/soundness/hostile-run.ts';
import { type HostileSetting, hostileSetting } from '../proof/soundness/hostile-world.ts';
import { variants } from '../service/faults.ts';
import { offlineService } from '../service/offline.ts';
import { cpuSeconds, median } from './cpu-seconds.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, Measure } from './measure.ts';

const runsPerSecondMin = 600;
const runsPerRound = 600;

/** Whole runs of one scope, from the first request to the verdicts, as `npm run soundness` plays them. */
export const simulationBench: Bench = {
  name: 'simulation',
  about:
    'whole runs of one scope in virtual time, sent and judged, a second of one core; the peer copies such runs’ worth of exchanges',
  run: async (say, { secondsEach }) => {
    const settings = fc.sample(hostileSetting(services.length), { numRuns: runsPerRound, seed: 7 });
    const turns = settings.map((setting, at) => ({
      ...setting,
      scope: scopes[at % scopes.length] ?? setting.scope,
    }));
    const of = [
      { name: 'all three scopes in turn', settings: turns, bar: runsPerSecondMin },
      ...scopes.map((scope) => ({
        name: scope,
        settings: settings.map((one) => ({ ...one, scope })),
        bar: null,
      })),
    ];
    const measures: Measure[] = [];
    for (const { name, settings: own, bar } of of) {
      say(name);
      measures.push(await measureOf(name, { settings: own, bar, secondsEach }));
    }
    return measures;
  },
};

const rates = { limits: documentedLimits, windowMs: documentedWindowMs };

const services: readonly Conforming[] = [
  { start: () => offlineService({ ...rates, faults: [] }) },
  ...variants.map((variant) => ({
    start: () => offlineService({ ...rates, faults: [variant] }),
    perSecond: variant.setting?.perSecond,
  })),
];

type Played = {
  readonly settings: readonly HostileSetting[];
  readonly bar: number | null;
  readonly secondsEach: number;
};

async function measureOf(name: string, { settings, bar, secondsEach }: Played): Promise<Measure> {
  let exchanges = 0;
  const { ours, peer: peers } = await inTurns(secondsEach, {
    ours: () => {
      const seconds = cpuSeconds(() => {
        exchanges = settings.reduce((sum, setting) => sum + hostileRun(setting, services).exchanges, 0);
      });
      return settings.length / seconds;
    },
    peer: () => settings.length / cpuSeconds(() => copied(exchanges)),
  });
  const rate = median(ours);
  const peer = median(peers);
  return {
    measured: `runs a second, ${name} (${Math.round(exchanges / settings.length)} requests each)`,
    ours: rate.toFixed(0),
    peer: peer.toFixed(0),
    ratio: rate / peer,
    ...(bar === null ? {} : { bar: { text: `≥ ${bar} a second`, isMet: rate >= bar } }),
  };
}

const line = JSON.stringify({
  kind: 'exchange',
  index: 1,
  scope: 'messages',
  sentMs: 1_760_000_010_000.5,
  receivedMs: 1_760_000_010_001.5,
  status: 200,
  headers: { limit: '300', remaining: '299', reset: '1760000070' },
  outcome: 'admitted',
});

/** What cannot be done without: each exchange read and written once as a line of a trace. */
function copied(exchanges: number): number {
  let characters = 0;
  for (let at = 0; at < exchanges; at += 1) characters += JSON.stringify(JSON.parse(line)).length;
  return characters;
}
