import { join } from 'node:path';
import type { Planner } from '../k6/lane.ts';
import { burstPlan, mediaBurstPlan } from '../k6/plans/burst.ts';
import { manyKeysPlan } from '../k6/plans/many-keys.ts';
import { mixedScopesPlan } from '../k6/plans/mixed-scopes.ts';
import { nodesPlan } from '../k6/plans/nodes.ts';
import { noisyNeighbourPlan } from '../k6/plans/noisy-neighbour.ts';
import { rollingWindowPlan } from '../k6/plans/rolling-window.ts';
import { overPressurePlan, sustainedPlan } from '../k6/plans/streams.ts';

/** One entry of the load suite: what it shows and what it needs. */
export type Scenario = {
  readonly name: string;
  /** What is shown when its clause holds, in a few words. */
  readonly shows: string;
  /** The clause that its exchanges are judged under. */
  readonly clause: string;
  /** What it sends; k6 comes to the same by itself. */
  readonly planner: Planner;
  readonly keys: 'one' | 'two' | 'many';
  /** Base URLs without which it shows nothing. */
  readonly nodesMin: number;
  /** Flags that change what it sends. */
  readonly takes: readonly ('windows' | 'vus' | 'keys')[];
  /** Path of the file that k6 runs, before it is bundled. */
  readonly entry: string;
};

const usual = { keys: 'one', nodesMin: 1, takes: [] } as const;

export const scenarios = [
  {
    ...usual,
    name: 'messages-burst',
    shows: 'exact admission when 1.5 × the limit arrives at once at /v1/messages',
    planner: burstPlan('messages'),
    takes: ['vus'],
    ...served('messages-burst'),
  },
  {
    ...usual,
    name: 'media-burst',
    shows: 'exact admission when 1.5 × the limit of uploads runs at once, a few bytes to 1 MiB each',
    planner: mediaBurstPlan,
    takes: ['vus'],
    ...served('media-burst'),
  },
  {
    ...usual,
    name: 'rolling-window',
    shows: 'capacity returns as requests leave: waves around the expiry and the wall-clock minute',
    planner: rollingWindowPlan,
    ...served('rolling-window'),
  },
  {
    ...usual,
    name: 'over-pressure',
    shows: 'the limit and no more, no 5xx, at 3 × the limit of every scope',
    planner: overPressurePlan,
    takes: ['windows'],
    ...served('over-pressure'),
  },
  {
    ...usual,
    name: 'sustained',
    shows: 'not one 429 a few percent below the limits',
    planner: sustainedPlan,
    takes: ['windows'],
    ...served('sustained'),
  },
  {
    ...usual,
    name: 'noisy-neighbour',
    shows: 'a key that floods costs another key nothing',
    planner: noisyNeighbourPlan,
    keys: 'two',
    ...served('noisy-neighbour'),
  },
  {
    ...usual,
    name: 'mixed-scopes',
    shows: 'each scope keeps its own limit when all are full at once',
    planner: mixedScopesPlan,
    ...served('mixed-scopes'),
  },
  {
    ...usual,
    name: 'many-keys',
    shows: 'limits are per key with 1,000 keys, and what so many cost',
    planner: manyKeysPlan,
    keys: 'many',
    takes: ['keys'],
    ...served('many-keys'),
  },
  {
    ...usual,
    name: 'nodes',
    shows: 'nodes of a service share one window',
    planner: nodesPlan,
    nodesMin: 2,
    ...served('nodes'),
  },
] as const satisfies readonly Scenario[];

function served<Name extends string>(name: Name) {
  return { clause: `load.${name}` as const, entry: join(import.meta.dirname, '..', `${name}.ts`) };
}
