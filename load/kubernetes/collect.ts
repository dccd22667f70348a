import { type Exchange, exchangeSchema } from '../../contract/exchange.ts';
import { grouped, howMany } from '../../contract/quantities.ts';
import {
  type ClockLine,
  clockLineSchema,
  type LoadLine,
  type TraceLine,
} from '../../contract/trace-lines.ts';
import type { DeployedScenario, DeployedTrace } from './deployed.ts';
import { clockOf } from './names.ts';

/** What the logs of pods gave. */
export type CollectedTrace = {
  /** A whole trace, in the order of sending. */
  readonly lines: readonly TraceLine[];
  readonly exchanges: number;
  /** Why a scenario is not complete, for each that is not. */
  readonly incomplete: readonly string[];
};

/** Logs that do not belong to the manifest. */
export class CollectError extends Error {
  override readonly name = 'CollectError';
}

/**
 * Puts the exchanges of all pods into one trace. Other lines of their logs, and what a log collector put before a line,
 * are skipped. A line that was collected twice counts once.
 * @throws {CollectError} where an exchange belongs to another run: the manifest does not have its clock or its run id.
 */
export function collect(deployed: DeployedTrace, logs: Iterable<string>): CollectedTrace {
  const clocks = new Set(deployed.header.clocks.map(({ id }) => id));
  const byId = new Map<string, Exchange>();
  const looks = new Map<string, ClockLine>();
  let broken = 0;
  for (const log of logs) {
    for (const line of log.split('\n')) {
      const look = clockLineIn(line);
      if (look !== null && clocks.has(look.clock)) looks.set(`${look.clock} ${look.monotonicMs}`, look);
      const exchange = exchangeIn(line);
      if (exchange === 'none') continue;
      if (exchange === 'broken') {
        broken += 1;
        continue;
      }
      if (!clocks.has(exchange.clock) || !exchange.requestId.startsWith(deployed.header.runId)) {
        throw new CollectError(`request ${exchange.requestId} of ${exchange.clock} belongs to another run`);
      }
      byId.set(`${exchange.clock} ${exchange.requestId}`, exchange);
    }
  }
  const exchanges = [...byId.values()].sort((one, other) => one.sentMs - other.sentMs);
  const loads = deployed.scenarios.map((scenario) => loadLineOf(scenario, exchanges, broken));
  const incomplete = loads.flatMap(({ reason }) => (reason === null ? [] : [reason]));
  const lines = traceLines(deployed, exchanges, [...looks.values(), ...loads]);
  return { lines, exchanges: exchanges.length, incomplete };
}

/** A look at a pod's clocks, which no line needs to be whole for: the others say as much. */
function clockLineIn(line: string): ClockLine | null {
  const from = line.indexOf('{"kind":"clock",');
  if (from === -1) return null;
  try {
    return clockLineSchema.parse(JSON.parse(line.slice(from)));
  } catch {
    return null;
  }
}

const marker = '{"kind":"exchange",';

function exchangeIn(line: string): Exchange | 'none' | 'broken' {
  const from = line.indexOf(marker);
  if (from === -1) return 'none';
  try {
    return exchangeSchema.parse(JSON.parse(line.slice(from)));
  } catch {
    return 'broken';
  }
}

function loadLineOf(
  { load, runners }: DeployedScenario,
  exchanges: readonly Exchange[],
  broken: number,
): LoadLine {
  const clocks = new Set(runners.map(clockOf));
  const own = exchanges.filter(({ clock }) => clocks.has(clock));
  if (own.length === load.requestsSent) return load;
  const heard = new Set(own.map(({ clock }) => clock));
  const silent = runners.filter((runner) => !heard.has(clockOf(runner)));
  const reason = [
    `${load.scenario}: ${grouped(own.length)} of ${howMany(load.requestsSent ?? 0, 'request')} were collected`,
    ...(silent.length === 0 ? [] : [`none of ${silent.join(', ')}`]),
    ...(broken === 0 ? [] : [broken === 1 ? '1 line was cut off' : `${grouped(broken)} lines were cut off`]),
  ].join('; ');
  return { ...load, state: 'incomplete', reason, requestsSent: null };
}

function traceLines(
  { header }: DeployedTrace,
  exchanges: readonly Exchange[],
  others: readonly (LoadLine | ClockLine)[],
): readonly TraceLine[] {
  const [first] = exchanges;
  const startedAt = first === undefined ? header.startedAt : isoTime(first.sentMs);
  const lastMs = exchanges.reduce(
    (latest, { sentMs, receivedMs }) => Math.max(latest, receivedMs ?? sentMs),
    Date.parse(startedAt),
  );
  const reasons = others.flatMap((line) =>
    line.kind === 'load' && line.reason !== null ? [line.reason] : [],
  );
  return [
    { ...header, startedAt },
    ...exchanges,
    ...others,
    {
      kind: 'end',
      endedAt: isoTime(lastMs),
      complete: reasons.length === 0,
      reason: reasons.length === 0 ? null : reasons.join('; '),
    },
  ];
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
