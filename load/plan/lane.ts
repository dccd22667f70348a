import type { Scope } from '../../contract/scopes.ts';

/** Requests that leave together, `atMs` after the lane's origin; before it where negative. */
export type Wave = { readonly purpose: string; readonly atMs: number; readonly count: number };

/**
 * The admissions of one window, of which a count alone may prove that they were too many: the window begins so long after
 * the origin, ms, or after the beginning of a stream.
 */
export type CountedSpan = { readonly fromMs: number; readonly most: number };

type Common = {
  /** Names the k6 scenario: lower-case letters, digits and "_". */
  readonly name: string;
  readonly scope: Scope;
  /** The window of that scope's limit, ms. */
  readonly windowMs: number;
  /** Positions of the keys that its requests use in turn. */
  readonly keys: { readonly first: number; readonly count: number };
  /** Which nodes of the service get its requests. */
  readonly nodes: 'first' | 'in-turn';
  /** What a k6 that runs alone counts; left out: nothing. */
  readonly counted?: CountedSpan;
};

/** Clients that wake up together and send their shares of each wave at once. */
export type WaveLane = Common & {
  readonly kind: 'waves';
  /**
   * A wall-clock boundary is the next whole multiple of the window that leaves room for the first wave. Clear of it is the
   * start, or just after the boundary where that would fall among the waves.
   */
  readonly origin: 'start' | 'wall-clock-boundary' | 'clear-of-boundary';
  readonly waves: readonly Wave[];
  /** Clients; each has connections of its own. */
  readonly vus: number;
  /** Where the body is a file: its size differs from request to request, from a few bytes to what the settings say. */
  readonly spreadsFiles?: true;
};

/** An open model: requests leave evenly spaced, whether or not the earlier ones have been answered. */
export type StreamLane = Common & {
  readonly kind: 'stream';
  readonly purpose: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly count: number;
};

/** What a part of a scenario sends, as pure data: so its cost is known before anything is sent. */
export type Lane = WaveLane | StreamLane;

/** Requests of a lane. */
export function requestsOf(lane: Lane): number {
  return lane.kind === 'stream' ? lane.count : lane.waves.reduce((sum, { count }) => sum + count, 0);
}

/** The latest moment at which a lane's last request leaves, ms after the start. */
export function lastMsOf(lane: Lane): number {
  if (lane.kind === 'stream') return lane.startMs + lane.durationMs;
  const leadMs = leadMsOf(lane);
  const last = lane.waves.at(-1)?.atMs ?? 0;
  const waitMs = clearMsOf(lane);
  if (waitMs > 0) return last + waitMs + afterBoundaryMs;
  return leadMs === null ? last : lane.windowMs + leadMs + last;
}

/** Shortest time between the start and the first wave, where that comes before a boundary, ms. */
const boundaryLeadMs = 200;

/** Time that a lane's first wave needs between the start and the boundary, ms; `null` where its origin is no boundary. */
export function leadMsOf({ origin, waves }: WaveLane): number | null {
  return origin === 'wall-clock-boundary' ? boundaryLeadMs - Math.min(0, waves[0]?.atMs ?? 0) : null;
}

/** The answers to the last wave take so long, ms; in short windows a fortieth of them. */
const answersMsMax = 1_500;

/** So long after a boundary the clocks of both sides have passed it, ms. */
const afterBoundaryMs = 20;

/** How long before a boundary a lane does not begin, ms; 0 where it may. */
export function clearMsOf({ origin, waves, windowMs }: WaveLane): number {
  if (origin !== 'clear-of-boundary') return 0;
  return (waves.at(-1)?.atMs ?? 0) + Math.min(answersMsMax, windowMs / 40);
}

/** When a lane begins, by its lead or by how long before a boundary it does not. */
export type Placing = {
  readonly leadMs: number | null;
  readonly clearMs: number;
  readonly windowMs: number;
};

/** A lane's origin, ms by the wall clock. */
export function originMsOf({ leadMs, clearMs, windowMs }: Placing, startMs: number): number {
  const boundaryMs = Math.ceil((startMs + (leadMs ?? 0)) / windowMs) * windowMs;
  if (leadMs !== null) return boundaryMs;
  return boundaryMs - startMs < clearMs ? boundaryMs + afterBoundaryMs : startMs;
}
