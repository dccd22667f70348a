import fc from 'fast-check';
import type { Document } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { seeded } from '../../run/seeded.ts';
import { serverMs } from '../simulation/world.ts';
import type { SeededBatch } from '../soundness/batches.ts';
import { type HostileSetting, hostileSetting, worldOf } from '../soundness/hostile-world.ts';
import { type DrawnBody, drawnBody } from './drawn-body.ts';
import { hostileTrace } from './hostile-trace.ts';
import { type LimiterOpener, type PromiseCase, promiseCases } from './keepers.ts';
import { type Costs, documentOf, mustsWith, serviceOf } from './promise-run.ts';
import { type OneOfTwo, openTwo } from './several.ts';

/** A hostile world, a promise, and which of the limiters that keep it answers; plain data. */
export type PromiseSetting = {
  readonly hostile: HostileSetting;
  readonly promised: number;
  readonly keeper: number;
  readonly limit: number;
  readonly windowSeconds: number;
  /** A second limit of the scope, what keeps it, and which of the two is asked first. */
  readonly also: {
    readonly promised: number;
    readonly keeper: number;
    readonly limit: number;
    readonly windowSeconds: number;
    readonly isFirst: boolean;
  } | null;
  /** What requests cost, where that is not 1 each; at most as much as the least of the limits lets pass. */
  readonly costs: Costs | null;
  /** What the document says of the bodies of refusals by a schema, which the service keeps. */
  readonly body: DrawnBody | null;
  /**
   * The document refuses with 503, and so does the service, whatever it has counted, for a while from a moment of the run on, ms.
   * `isBare`: the document promises no headers, so that nothing tells the two apart.
   */
  readonly outage: { readonly atMs: number; readonly forMs: number; readonly isBare: boolean } | null;
};

/** Each as often as the others, so that as many runs prove each. */
const drawnPromise = fc.noBias(fc.integer({ min: 0, max: promiseCases.length - 1 }));

export const promiseSetting: fc.Arbitrary<PromiseSetting> = fc.record({
  hostile: hostileSetting(1),
  promised: drawnPromise,
  keeper: fc.integer({ min: 0, max: 1_000 }),
  limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 150 })),
  windowSeconds: fc.oneof(fc.constant(60), fc.integer({ min: 2, max: 90 })),
  also: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        promised: drawnPromise,
        keeper: fc.integer({ min: 0, max: 1_000 }),
        limit: fc.integer({ min: 1, max: 60 }),
        windowSeconds: fc.integer({ min: 1, max: 120 }),
        isFirst: fc.boolean(),
      }),
    },
  ),
  costs: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12 })),
        others: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
      }),
    },
  ),
  outage: fc.option(
    fc.record({
      atMs: fc.integer({ min: 0, max: 150_000 }),
      isBare: fc.boolean(),
      forMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 40_000 })),
    }),
    { freq: 2 },
  ),
  body: drawnBody,
});

/** Batches of runs of a promise: how many, and the clauses that were called violated, each a false verdict. */
export type PromiseResult = {
  readonly runs: number;
  readonly held: number;
  /** Of those, in how many the scope's limit, or one of its two, is promised so, by the name of the promise. */
  readonly runsOf: Readonly<Record<string, number>>;
  readonly falseVerdicts: readonly {
    readonly setting: PromiseSetting;
    readonly violated: readonly string[];
  }[];
};

/** Plays limiters that keep their promises in hostile worlds, and counts false verdicts. */
export function playPromiseBatch({ seed, runs }: SeededBatch): PromiseResult {
  const played = fc
    .sample(promiseSetting, { numRuns: runs, seed })
    .map((setting) => ({ setting, ...hostilePromise(setting) }));
  return {
    runs,
    held: played.filter(({ isHeld }) => isHeld).length,
    runsOf: Object.fromEntries(
      promiseCases.map(({ name }, at) => [
        name,
        played.filter(({ setting }) => setting.promised === at || setting.also?.promised === at).length,
      ]),
    ),
    falseVerdicts: played
      .filter(({ violated }) => violated.length > 0)
      .map(({ setting, violated }) => ({ setting, violated })),
  };
}

/** The document of a setting, and the limiter that keeps it. */
export function ruleOf(setting: PromiseSetting): {
  readonly document: Document;
  readonly open: LimiterOpener;
} {
  const { limit, windowSeconds, outage, body } = setting;
  const { promise } = promiseCases[setting.promised] as PromiseCase;
  const status = outage === null ? undefined : 503;
  const also = setting.also === null ? undefined : oneOf(setting.also);
  const isBare = outage?.isBare;
  const rate = { promise, limit, windowSeconds, status, isBare, also, body, costs: costsOf(setting) };
  return { document: documentOf(rate), open: keeperOf(setting, rate) };
}

/** One whole run against a limiter that keeps its promise: what is called violated, and whether the limit is held. */
export function hostilePromise(setting: PromiseSetting) {
  const { hostile } = setting;
  const { document, open } = ruleOf(setting);
  const own = serviceOf(document, open);
  useEarlier(setting, own);
  // The status alone tells an outage from a refusal, and here it does not.
  const outage = setting.outage === null ? null : { ...setting.outage, status: 503, isPage: true };
  const trace = hostileTrace(document, own, { hostile, outage });
  const judgement = judgeTrace(trace);
  return {
    violated: mustsWith(trace, 'violated', judgement),
    isHeld: mustsWith(trace, 'held', judgement).includes('limits.items'),
  };
}

function costsOf({ costs, promised, limit, also }: PromiseSetting): Costs | undefined {
  if (costs === null) return undefined;
  // Who keeps an upper bound by a lower one has to let each request pass all the same.
  const mostOf = (rate: { readonly promised: number; readonly limit: number }): number =>
    promiseCases[rate.promised]?.name === 'at most' ? Math.max(1, Math.floor(rate.limit / 2)) : rate.limit;
  const most = Math.min(...[{ promised, limit }, ...(also === null ? [] : [also])].map(mostOf));
  return {
    cost: Math.min(costs.cost, most),
    others: costs.others.map((cost) => Math.min(cost, most)),
  };
}

type Kept = { readonly promised: number; readonly keeper: number };

function keeping({ promised, keeper }: Kept): LimiterOpener {
  const keepers = Object.values((promiseCases[promised] as PromiseCase).kept);
  return keepers[keeper % keepers.length] as LimiterOpener;
}

function oneOf(setting: NonNullable<PromiseSetting['also']>): OneOfTwo {
  const { promise } = promiseCases[setting.promised] as PromiseCase;
  return { promise, limit: setting.limit, windowSeconds: setting.windowSeconds };
}

function keeperOf(setting: PromiseSetting, first: OneOfTwo): LimiterOpener {
  if (setting.also === null) return keeping(setting);
  const asked = setting.also.isFirst ? 'also before first' : 'first before also';
  return openTwo([first, oneOf(setting.also)], [keeping(setting), keeping(setting.also)], asked);
}

/** Requests by somebody else in the window before the run. */
function useEarlier({ hostile, windowSeconds }: PromiseSetting, service: ReturnType<typeof serviceOf>): void {
  const world = worldOf(hostile);
  const random = seeded(hostile.seed ^ 0x5bd1e995);
  const moments = Array.from(
    { length: hostile.earlierUse },
    () => world.startMs - random() * windowSeconds * 1_000,
  );
  for (const ms of moments.sort((left, right) => left - right))
    service(
      { key: 'A', credential: 'valid', method: 'GET', path: '/items', node: 0, connection: 0 },
      serverMs(world, ms),
    );
}
