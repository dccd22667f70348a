import { documentSchema } from '../contract/document/document.ts';
import type { PromiseSetting } from '../contract/document/promise.ts';
import type { Trace } from '../contract/trace.ts';
import { judgeTrace } from '../judge/judge-trace.ts';
import { playedTraffic, type Traffic } from '../proof/promises/traffic.ts';
import { tied } from '../proof/soundness/k6-world.ts';
import { type Random, seeded } from '../run/seeded.ts';
import { cpuSeconds, median } from './cpu-seconds.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, BenchResult } from './measure.ts';

/** Each four times the one before: what grows with the square takes sixteen times as long. */
const shorter = [2_500, 10_000] as const;
const most = 40_000;
const sizes = [...shorter, most];
const growthMax = 10;

/**
 * What the scope of a document says beside its limit of 120 in 60 s, whether its keys are counted together, how many there are, and how many
 * scopes lie within it.
 */
type Said = {
  readonly name: string;
  readonly promise: PromiseSetting;
  readonly also?: readonly { readonly limit: number; readonly windowSeconds: number }[];
  readonly isShared?: boolean;
  readonly keys?: number;
  readonly inner?: number;
};

const firstRequest = { kind: 'fixed', aligned: 'first-request' } as const;
const clock = { kind: 'fixed', aligned: 'clock' } as const;
const second = { limit: 12, windowSeconds: 1 };
const third = { limit: 60, windowSeconds: 20 };

const usual: Said = { name: 'a rolling window', promise: 'rolling' };

const documents: readonly Said[] = [
  usual,
  { name: 'a token bucket', promise: 'token-bucket' },
  { name: 'windows by the clock', promise: clock },
  { name: 'windows from the first request', promise: firstRequest },
  { name: 'nothing said of the window', promise: 'unsaid' },
  { name: 'two rolling windows', promise: 'rolling', also: [second] },
  { name: 'two token buckets', promise: 'token-bucket', also: [second] },
  { name: 'three windows from the first request', promise: firstRequest, also: [second, third] },
  { name: 'two rolling windows for each of 400 keys', promise: 'rolling', also: [second], keys: 400 },
  { name: 'windows by the clock for each of 400 keys', promise: clock, keys: 400 },
  { name: 'a rolling window that keys share', promise: 'rolling', isShared: true, keys: 2 },
  { name: 'windows from the first request that keys share', promise: firstRequest, isShared: true, keys: 2 },
  { name: 'a rolling window that eight scopes share with their own', promise: 'rolling', inner: 8 },
];

/** Traces of services that keep other promises than the messaging document's, judged. */
export const promisesBench: Bench = {
  name: 'promises',
  about: `verdicts on requests at random moments, 5 a second, to services that keep what a document can promise of 120 in 60 s; further limits are ${second.limit} in ${second.windowSeconds} s and ${third.limit} in ${third.windowSeconds} s. CPU time; the peer is ${usual.name}`,
  remarks: [
    'Of several limits each refusal has to be explained by one. Each limit is asked about all refusals at once: one by one, 40,000 requests under two token buckets took 41 s. What windows that begin with a request explain is looked for a piece of the trace at a time, and of many keys it is asked once for each limit whether one count of them would have refused more.',
  ],
  run: async (say, { secondsEach }): Promise<BenchResult> => {
    const seconds = secondsEach / sizes.length;
    const beside = traceUnder(usual, most);
    const all: Taken[] = [];
    for (const said of documents) {
      say(said.name);
      const figures: number[] = [];
      for (const size of shorter) {
        const trace = traceUnder(said, size);
        const { own } = await inTurns(seconds, { own: () => secondsFor(trace) });
        figures.push(median(own));
      }
      const trace = traceUnder(said, most);
      const { own, peer } = await inTurns(seconds, {
        own: () => secondsFor(trace),
        peer: () => secondsFor(beside),
      });
      all.push({ said, figures: [...figures, median(own)], peer: median(peer) });
    }
    return measured(all);
  },
};

/** CPU seconds for each size, and for the usual document at the greatest. */
type Taken = { readonly said: Said; readonly figures: readonly number[]; readonly peer: number };

function measured(all: readonly Taken[]): BenchResult {
  return {
    measures: all.map(({ said, figures, peer }) => {
      const [last = 0, before = 0] = figures.toReversed();
      const growth = last / before;
      return {
        measured: `${said.name}: ${most.toLocaleString('en')} exchanges`,
        ours: `${last.toFixed(2)} s, ${growth.toFixed(1)} × as long as a quarter of them`,
        peer: `${peer.toFixed(2)} s`,
        ratio: last / peer,
        bar: { text: `≤ ${growthMax} × a quarter`, isMet: growth <= growthMax },
      };
    }),
    curves: [
      {
        title: 'Judging what other documents promise',
        grows: 'exchanges',
        unit: 's of CPU',
        sizes,
        lines: all
          .filter(({ said }) => isDrawn(said))
          .map(({ said, figures }) => ({
            name: said.name,
            figures: figures.map((one) => Number(one.toFixed(3))),
          })),
      },
    ],
  };
}

/** The usual one, and those of several limits, which took longest to judge. */
function isDrawn(said: Said): boolean {
  return said === usual || (said.also !== undefined && said.keys === undefined);
}

/** Each time from exchanges that were never asked about: what was found is kept for the same ones. */
function secondsFor(trace: Trace): number {
  const fresh = { ...trace, exchanges: trace.exchanges.map((exchange) => ({ ...exchange })) };
  return cpuSeconds(() => judgeTrace(fresh));
}

/** Nothing goes wrong on the way. */
const quiet: Omit<Traffic, 'ruled' | 'requests'> = {
  ...{ limit: 1, alsoLimit: 1, startsAtMs: 0, earlier: 0, outage: null, stepAt: 0, stepMs: 0 },
  probes: 'alone',
  ...{ nodes: 1, seed: 1, brokenBodies: 0 },
};

function traceUnder({ promise, also, isShared = false, keys = 1, inner = 0 }: Said, count: number): Trace {
  const further = also?.map((one) => ({ ...one, promise }));
  const items = { title: 'items', request: { path: '/items' }, limit: 120, promise, also: further };
  const within = Array.from({ length: inner }, (_, at) => {
    const path = `/s${at}`;
    return [`s${at}`, { title: path, paths: [path], request: { path }, limit: 30, promise, within: 'items' }];
  });
  const scopes = { items, ...Object.fromEntries(within) };
  const document = documentSchema.parse({
    ...{ version: 1, title: 'items', windowSeconds: 60, scopes },
    ...(isShared ? { countedBy: 'account' } : {}),
  });
  const random = seeded(count);
  const requests = Array.from({ length: count }, () => requestAt(random, { keys, scopes: inner + 1 }));
  return tied(playedTraffic({ ...quiet, ruled: { promise: null, document }, requests }));
}

const perSecond = 5;
/** So many leave together with the one before. */
const atOnceShare = 0.3;

function requestAt(
  random: Random,
  { keys, scopes }: { readonly keys: number; readonly scopes: number },
): Traffic['requests'][number] {
  const meanMs = 1_000 / perSecond / (1 - atOnceShare);
  return {
    gap: random() < atOnceShare ? 0 : -Math.log(1 - random()) * meanMs,
    upMs: random() < 0.5 ? 0.4 : 3,
    downMs: 0.4,
    scope: scopes === 1 ? 0 : Math.floor(random() * scopes),
    ...{ other: 0, isProbe: true, isReused: false, isReset: false, lost: null },
    key: `K${Math.floor(random() * keys)}`,
  };
}
