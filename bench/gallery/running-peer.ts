import type { Peer } from './peer.ts';
import type { Keys } from './subject.ts';

/** One server that runs, and what is needed to ask it. */
export type RunningPeer = {
  readonly peer: Peer;
  readonly url: string;
  readonly keys: Keys;
  /** Where traces go. */
  readonly folder: string;
  /** The row's name as a part of file names. */
  readonly slug: string;
  /** Version of this project. */
  readonly version: string;
  readonly signal: AbortSignal;
};
