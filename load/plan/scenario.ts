import { settledAfterMs } from '../../contract/bounds.ts';
import type { PromiseKind } from '../../contract/document/promise.ts';
import type { MessagingScope, Scope } from '../../contract/scopes.ts';
import type { Lane } from './lane.ts';

/** One entry of the load suite: what it shows, what it needs, and what it sends. */
export type Scenario = {
  readonly name: string;
  /** The clause that its exchanges are judged under. */
  readonly clause: string;
  /** What it shows if its clause is held, in a few words. */
  readonly shows: string;
  readonly planner: Planner;
  /** The scopes of the messaging document that it is about, where it is not about all of them. */
  readonly about?: readonly MessagingScope[];
  readonly keys: 'one' | 'two' | 'many';
  /** Fewest base URLs that it needs. */
  readonly nodesMin: number;
  /** Options that change what it sends. */
  readonly takes: readonly ('windows' | 'vus' | 'keys')[];
};

/** What most scenarios need, and the options that they take. */
export const usual = { keys: 'one', nodesMin: 1, takes: [] } as const;

/** What a scenario sends, from the settings alone. */
export type Planner = (setting: PlanSetting) => readonly Lane[];

/** A limit: what it promises, and its window, ms. */
export type LimitToLoad = {
  readonly kind: PromiseKind;
  readonly limit: number;
  readonly windowMs: number;
};

/** What a plan has to know of a scope: of several limits the one that lets the fewest pass at once. */
export type ScopeToLoad = LimitToLoad & {
  readonly name: Scope;
  /** The limit that lets the fewest pass in the long run. */
  readonly pace: LimitToLoad;
  /** Its longest window, ms: what is older no longer counts. */
  readonly longestMs: number;
};

/** Everything that a scenario's plan depends on. Counts are integers. */
export type PlanSetting = {
  /** The deployment's; scopes may have others. */
  readonly windowMs: number;
  /** Scopes that the deployment has a request for, and of which the scenario can show anything. */
  readonly scopes: readonly ScopeToLoad[];
  readonly nodes: number;
  readonly keys: number;
  /** Duration of the pressure, in windows. */
  readonly windows: number;
  /** Independent clients of a burst; 1 sends it in one batch. */
  readonly vus: number;
  /** k6 processes that share the scenario. */
  readonly processes: number;
};

/** Smallest and largest value of each number that a person may choose. */
export const settingRanges = {
  windowMs: [1_000, 3_600_000],
  nodes: [1, 16],
  keys: [1, 10_000],
  windows: [1, 1_440],
  vus: [1, 1_000],
  processes: [1, 100],
} as const satisfies Partial<Record<keyof PlanSetting, readonly [min: number, max: number]>>;

/** The lanes of a scenario. A wave needs a client in each process: a single client would run in one process alone. */
export function lanesOf(planner: Planner, setting: PlanSetting): readonly Lane[] {
  const { vus, processes } = setting;
  return planner({ ...setting, vus: Math.max(vus, processes) }).map((lane) =>
    lane.kind === 'waves' ? { ...lane, vus: Math.max(lane.vus, processes) } : lane,
  );
}

/**
 * The first of the wanted scopes that the deployment has a request for, else the first that it has at all; `null` where
 * there is none.
 */
export function preferredScope(scopes: readonly ScopeToLoad[], wanted: readonly Scope[]): ScopeToLoad | null {
  for (const name of wanted) {
    const found = scopes.find((scope) => scope.name === name);
    if (found !== undefined) return found;
  }
  return scopes[0] ?? null;
}

/** Reserve for late requests, ms. */
const spareMs = 150;

/** How long after a key's first request its refusals can be judged, whole ms. */
export function settledLaterMs(windowMs: number): number {
  return Math.ceil(settledAfterMs(windowMs)) + spareMs;
}
