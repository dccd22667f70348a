import type { Rate } from '../../limiters/limiter.ts';
import type { KeptLimit } from '../pacer/kept-limits.ts';
import type { Setting } from '../simulation/setting.ts';
import { headerGate, headerSpacing } from '../strategies/headers.ts';
import { decorrelatedJitter, equalJitter, exponentialBackoff, fullJitter } from '../strategies/jitter.ts';
import { retryAfterAlone, retryAfterJitter } from '../strategies/retry-after.ts';
import { windowMirror } from '../strategies/window-mirror.ts';
import { type AnyStrategy, erased } from '../strategies.ts';

/** What a client can go by, each with what comes before it: the wait that 429s name, the headers, the limit itself. */
export const knowledges = ['retry-after', 'headers', 'limit'] as const;

export type Knowledge = (typeof knowledges)[number];

/** What is fixed while a client is tuned. */
export type Facts = {
  readonly rate: Rate;
  readonly clients: number;
  readonly processes: number;
  /** What a mirror keeps to in place of that rate. */
  readonly kept?: readonly KeptLimit[] | undefined;
};

/** Values of a family's parameters; `…Ms` in ms, the others plain numbers. */
export type Parameters = Readonly<Record<string, number>>;

/** Strategies of one kind, and the parameters that can be turned. */
export type Family = {
  readonly name: FamilyName;
  readonly knows: Knowledge;
  /** Whether it does what the document asks of clients: exponential backoff and jitter, or no refusals to back off from. */
  readonly isAsked: boolean;
  /** By parameter: where the search begins, ascending. */
  readonly axes: (facts: Facts) => Readonly<Record<string, readonly number[]>>;
  readonly build: (parameters: Parameters, facts: Facts) => AnyStrategy;
};

export const familyNames = [
  'retry-after alone',
  'retry-after + jitter',
  'exponential, ≥ retry-after',
  'equal jitter, ≥ retry-after',
  'full jitter, ≥ retry-after',
  'decorrelated, ≥ retry-after',
  'header gate',
  'header spacing',
  'mirror, a share each',
  'window mirror',
] as const;

export type FamilyName = (typeof familyNames)[number];

/** Parts of a window: jitter and caps are worth what they are beside it. */
function parts(windowMs: number, ...shares: readonly number[]): readonly number[] {
  return shares.map((share) => Math.round(windowMs * share));
}

/** The document asks for exponential backoff, so that jitter always grows. */
const jitterAxes: Family['axes'] = ({ rate: { windowMs } }) => ({
  leastMs: [0, ...parts(windowMs, 1 / 15, 1 / 8, 1 / 4, 1 / 2)],
  jitterMs: parts(windowMs, 1 / 300, 1 / 120, 1 / 60, 1 / 30, 1 / 15, 1 / 8),
  growth: [2],
  capMs: parts(windowMs, 1 / 15, 1 / 4),
});

const backoffAxes: Family['axes'] = ({ rate: { windowMs } }) => ({
  baseMs: parts(windowMs, 1 / 300, 1 / 120, 1 / 60, 1 / 30, 1 / 15, 1 / 8),
  capMs: parts(windowMs, 1 / 15, 1 / 4, 1 / 2, 1),
});

function of(parameters: Parameters, name: string): number {
  return parameters[name] ?? 0;
}

function jitterOf(parameters: Parameters) {
  return {
    leastMs: of(parameters, 'leastMs'),
    jitterMs: of(parameters, 'jitterMs'),
    growth: of(parameters, 'growth'),
    capMs: of(parameters, 'capMs'),
  };
}

function backoffOf(parameters: Parameters) {
  return {
    baseMs: of(parameters, 'baseMs'),
    capMs: of(parameters, 'capMs'),
    retryAfter: 'floor' as const,
  };
}

/** All that never retries earlier than a 429 allows. */
export const families: readonly Family[] = [
  {
    name: 'retry-after alone',
    isAsked: false,
    knows: 'retry-after',
    axes: () => ({}),
    build: () => erased(retryAfterAlone()),
  },
  {
    name: 'retry-after + jitter',
    isAsked: true,
    knows: 'retry-after',
    axes: jitterAxes,
    build: (parameters) => erased(retryAfterJitter(jitterOf(parameters))),
  },
  {
    name: 'exponential, ≥ retry-after',
    isAsked: false,
    knows: 'retry-after',
    axes: backoffAxes,
    build: (parameters) => erased(exponentialBackoff(backoffOf(parameters))),
  },
  {
    name: 'equal jitter, ≥ retry-after',
    isAsked: true,
    knows: 'retry-after',
    axes: backoffAxes,
    build: (parameters) => erased(equalJitter(backoffOf(parameters))),
  },
  {
    name: 'full jitter, ≥ retry-after',
    isAsked: true,
    knows: 'retry-after',
    axes: backoffAxes,
    build: (parameters) => erased(fullJitter(backoffOf(parameters))),
  },
  {
    name: 'decorrelated, ≥ retry-after',
    isAsked: true,
    knows: 'retry-after',
    axes: backoffAxes,
    build: (parameters) => erased(decorrelatedJitter(backoffOf(parameters))),
  },
  {
    name: 'header gate',
    isAsked: true,
    knows: 'headers',
    axes: jitterAxes,
    build: (parameters) => erased(headerGate(jitterOf(parameters))),
  },
  {
    name: 'header spacing',
    isAsked: true,
    knows: 'headers',
    axes: (facts) => ({
      leastMs: [0, ...parts(facts.rate.windowMs, 1 / 4)],
      jitterMs: parts(facts.rate.windowMs, 1 / 60, 1 / 15),
      capMs: parts(facts.rate.windowMs, 1 / 4),
      below: [0.02, 0.1, 0.3, 1],
      sharers: [...new Set([1, Math.ceil(Math.sqrt(facts.clients)), facts.clients])],
    }),
    build: (parameters, { rate: { limit } }) => {
      const spacing = { sharers: of(parameters, 'sharers'), below: of(parameters, 'below'), limit };
      return erased(headerSpacing({ ...jitterOf(parameters), ...spacing }));
    },
  },
  {
    name: 'mirror, a share each',
    isAsked: true,
    knows: 'limit',
    axes: () => ({}),
    build: (_parameters, { rate, kept }) => erased(windowMirror({ ...rate, kept, sharedBy: 'process' })),
  },
  {
    name: 'window mirror',
    isAsked: true,
    knows: 'limit',
    axes: () => ({}),
    build: (_parameters, { rate, kept }) => erased(windowMirror({ ...rate, kept, sharedBy: 'key' })),
  },
];

/** The families that a client of such knowledge can use. A mirror of all processes needs only one, or a store. */
export function familiesFor(
  knowledge: Knowledge,
  coordination: {
    readonly processes: number;
    readonly hasStore: boolean;
    readonly lacks?: Setting['lacks'];
  },
): readonly Family[] {
  const rank = knowledges.indexOf(knowledge);
  const isOne = coordination.processes === 1;
  return families.filter(({ name, knows }) => {
    if (knowledges.indexOf(knows) > rank) return false;
    if (knows === 'headers' && coordination.lacks?.headers === true) return false;
    if (name === 'window mirror') return isOne || coordination.hasStore;
    return name !== 'mirror, a share each' || !isOne;
  });
}

/** `jitterMs 300, growth 2`. */
export function parametersText(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
