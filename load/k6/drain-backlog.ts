/**
 * Drains a backlog at a live service: clients that share a key work it off with a strategy of backoff/, the very
 * code that is simulated. `conformance tune --verify` starts it and holds the measurement against the simulation.
 *
 * Requests: one for each job and one for each 429. Time: as long as the backlog takes, a window for each full one.
 * All clients are in one VU, whose requests are asynchronous: strategies that share their state are in one place.
 */
import type { Options } from 'k6/options';
import { todaysStrategies } from '../../backoff/strategies.ts';
import { families } from '../../backoff/tuning/families.ts';
import { drainBacklog } from './drain-clients.ts';
import { type DrainParameters, readDrainParameters } from './drain-parameters.ts';
import { keyFileVariable, parseKeys } from './parameters.ts';

const parameters = readDrainParameters(__ENV);
const [key = ''] = parseKeys(open(__ENV[keyFileVariable] ?? ''));

export const options: Options = {
  scenarios: {
    drain_backlog: {
      executor: 'per-vu-iterations',
      vus: 1,
      iterations: 1,
      maxDuration: `${parameters.forMs + parameters.timeoutMs + 5_000}ms`,
    },
  },
  noConnectionReuse: false,
  summaryTrendStats: ['max'],
};

export default async function drain(): Promise<void> {
  const roundTripsMs = await drainBacklog({ parameters, key, strategy: strategyOf(parameters) });
  console.log(JSON.stringify({ roundTripsMs }));
}

function strategyOf({ strategy, limit, windowMs, clients, processes }: DrainParameters) {
  if (strategy.kind === 'today')
    return todaysStrategies({ isIdempotent: strategy.isIdempotent })[strategy.name];
  const family = families.find(({ name }) => name === strategy.name);
  if (family === undefined) throw new Error(`there is no family of strategies called ${strategy.name}`);
  return family.build(strategy.parameters, { rate: { limit, windowMs }, clients, processes });
}
