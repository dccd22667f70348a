import type { Planner } from './lane.ts';

/** One entry of the load suite: what it shows, what it needs, and what it sends. */
export type Scenario = {
  readonly name: string;
  /** The clause that its exchanges are judged under. */
  readonly clause: string;
  /** What is shown when its clause holds, in a few words. */
  readonly shows: string;
  readonly planner: Planner;
  readonly keys: 'one' | 'two' | 'many';
  /** Base URLs without which it shows nothing. */
  readonly nodesMin: number;
  /** Flags that change what it sends. */
  readonly takes: readonly ('windows' | 'vus' | 'keys')[];
};

/** What most scenarios need and take. */
export const usual = { keys: 'one', nodesMin: 1, takes: [] } as const;
