import type { Exchange } from '../../contract/exchange.ts';
import { grouped, howMany } from '../../contract/quantities.ts';
import type { Trace } from '../../contract/trace.ts';
import type { ClockLine, LoadLine } from '../../contract/trace-lines.ts';
import type { DeployedScenario, DeployedTrace } from './deployed.ts';
import { type Log, LogRows } from './log-rows.ts';
import { clockOf } from './names.ts';

/** What the logs of pods gave. */
export type CollectedTrace = {
  /** The exchanges of all pods, in the order of sending. */
  readonly trace: Trace;
  /** Why a scenario is not complete, for each that is not. */
  readonly incomplete: readonly string[];
};

/**
 * Puts the exchanges of all pods into one trace. Other lines of their logs, and what a log collector put before a line,
 * are skipped. A line that was collected twice counts once.
 * @throws {CollectError} where an exchange belongs to another run: the manifest does not have its clock or its run id, or
 * the request was sent once more.
 */
export function collect(deployed: DeployedTrace, logs: Iterable<Log>): CollectedTrace {
  const rows = new LogRows(deployed.header);
  for (const log of logs) rows.read(log);
  const exchanges = rows.exchanges().toSorted((one, other) => one.sentMs - other.sentMs);
  const loads = deployed.scenarios.map((scenario) => loadLineOf(scenario, exchanges, rows.broken));
  const incomplete = loads.flatMap(({ reason }) => (reason === null ? [] : [reason]));
  return { trace: traceOf(deployed, { exchanges, loads, looks: rows.looks(), incomplete }), incomplete };
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

type Collected = Pick<Trace, 'exchanges' | 'loads'> & {
  readonly looks: readonly ClockLine[];
  readonly incomplete: readonly string[];
};

function traceOf({ header }: DeployedTrace, { exchanges, loads, looks, incomplete }: Collected): Trace {
  const [first] = exchanges;
  const startedAt = first === undefined ? header.startedAt : isoTime(first.sentMs);
  const lastMs = exchanges.reduce(
    (latest, { sentMs, receivedMs }) => Math.max(latest, receivedMs ?? sentMs),
    Date.parse(startedAt),
  );
  return {
    header: { ...header, startedAt },
    exchanges,
    loads,
    ...(looks.length > 0 && { clockLines: looks }),
    notes: [],
    end: {
      kind: 'end',
      endedAt: isoTime(lastMs),
      complete: incomplete.length === 0,
      reason: incomplete.length === 0 ? null : incomplete.join('; '),
    },
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
