import type { Scope } from '../../contract/scopes.ts';

/** Requests that leave together, `atMs` after the lane's origin; before it where negative. */
export type Wave = { readonly purpose: string; readonly atMs: number; readonly count: number };

type Common = {
  /** Names the k6 scenario: lower-case letters, digits and "_". */
  readonly name: string;
  readonly scope: Scope;
  /** Positions of the keys that its requests use in turn. */
  readonly keys: { readonly first: number; readonly count: number };
  /** Which nodes of the service get its requests. */
  readonly nodes: 'first' | 'in-turn';
};

/** Clients that wake up together and send their shares of each wave at once. */
export type WaveLane = Common & {
  readonly kind: 'waves';
  /** A wall-clock boundary is the next whole multiple of the window that leaves room for the first wave. */
  readonly origin: 'start' | 'wall-clock-boundary';
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
export function lastMsOf(lane: Lane, windowMs: number): number {
  if (lane.kind === 'stream') return lane.startMs + lane.durationMs;
  const leadMs = leadMsOf(lane);
  const last = lane.waves.at(-1)?.atMs ?? 0;
  return leadMs === null ? last : windowMs + leadMs + last;
}

/** Shortest time between the start and the first wave, where that comes before a boundary, ms. */
const boundaryLeadMs = 200;

/** Time that a lane's first wave needs between the start and the boundary, ms; `null` where its origin is the start. */
export function leadMsOf({ origin, waves }: WaveLane): number | null {
  return origin === 'start' ? null : boundaryLeadMs - Math.min(0, waves[0]?.atMs ?? 0);
}

/** A lane's origin, ms by the wall clock, from its lead. */
export function originMsOf(leadMs: number | null, startMs: number, windowMs: number): number {
  return leadMs === null ? startMs : Math.ceil((startMs + leadMs) / windowMs) * windowMs;
}
