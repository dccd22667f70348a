import type { Exchange } from './exchange.ts';
import type { EndLine, LoadLine, Trace, TraceHeader } from './trace.ts';

/** Traces that are not parts of one run, or of runs against one deployment: says which and why. */
export class MergeError extends Error {
  override readonly name = 'MergeError';
}

export type MergeOptions = {
  /** How far the clocks of two machines, or of two runs, may be apart, ms. */
  readonly clockOffsetMsMax: number;
};

/**
 * One trace of several, for judging what several clients did to the same keys: exchanges together, each timed by its own
 * clock, whose offset from the first trace's first clock is stated. Parts of one run that name the same first clock
 * have stated their offsets already; all others get `clockOffsetMsMax` on top.
 * @throws {MergeError} where their deployments, windows or limits differ, or an exchange is in two of them.
 */
export function mergeTraces(traces: readonly Trace[], { clockOffsetMsMax }: MergeOptions): Trace {
  const [first, ...others] = traces;
  if (first === undefined) throw new MergeError('there is no trace to merge');
  if (others.length === 0) return first;
  for (const [at, other] of others.entries()) checkAlike(first.header, other.header, at + 2);
  const parts = traces.map((trace, at) => renamedClocks(trace, { traces, at, clockOffsetMsMax }));
  const exchanges = parts.flatMap((part) => part.exchanges);
  checkOnce(exchanges);
  const clocks = new Map(parts.flatMap((part) => part.clocks.map((clock) => [clock.id, clock] as const)));
  return {
    header: {
      ...first.header,
      startedAt: traces.map(({ header }) => header.startedAt).reduce(earlier),
      mode: traces.every(({ header }) => header.mode === first.header.mode) ? first.header.mode : 'full',
      clocks: [...clocks.values()],
      plan: sumOfPlans(traces.map(({ header }) => header)),
    },
    exchanges,
    loads: mergedLoads(traces),
    leftOut: traces.flatMap(({ leftOut = [] }) => leftOut),
    clockLines: parts.flatMap((part) => part.clockLines),
    notes: traces.flatMap(({ notes }) => notes),
    end: mergedEnd(traces.map(({ end }) => end)),
  };
}

function checkAlike(first: TraceHeader, other: TraceHeader, number: number): void {
  const fields = ['windowMs', 'limits', 'deployment', 'keys'] as const;
  const different = fields.filter((field) => JSON.stringify(first[field]) !== JSON.stringify(other[field]));
  if (different.length === 0) return;
  throw new MergeError(`trace ${number} differs from the first in ${different.join(' and ')}`);
}

type Part = { readonly traces: readonly Trace[]; readonly at: number; readonly clockOffsetMsMax: number };

/** The exchanges and clocks of a part, under names that no clock of an earlier part means something else by. */
function renamedClocks(
  { header, exchanges, clockLines = [] }: Trace,
  { traces, at, clockOffsetMsMax }: Part,
) {
  // The first part of the same clockwork, which may be this one, gives the name and the offset.
  const first = traces.findIndex((earlier) => isSameClockwork(earlier.header, header));
  const reference = first === -1 ? at : first;
  const name = (id: string): string => (reference === 0 ? id : `${id}#${reference + 1}`);
  const moreMs = reference === 0 ? 0 : clockOffsetMsMax;
  return {
    exchanges: exchanges.map((exchange) => ({ ...exchange, clock: name(exchange.clock) })),
    clockLines: clockLines.map((line) => ({ ...line, clock: name(line.clock) })),
    clocks: header.clocks.map((clock) => ({
      ...clock,
      id: name(clock.id),
      ...(clock.tiedBy !== undefined && { tiedBy: name(clock.tiedBy) }),
      offsetMsMax: clock.offsetMsMax + moreMs,
    })),
  };
}

/** Parts of one run that state the same clock first have one reference for their offsets. */
function isSameClockwork(one: TraceHeader, other: TraceHeader): boolean {
  return one.runId === other.runId && one.clocks[0]?.id === other.clocks[0]?.id;
}

/** A request that stands in two traces would be counted twice, and look like one too many. */
function checkOnce(exchanges: readonly Exchange[]): void {
  const seen = new Set<string>();
  for (const { requestId } of exchanges) {
    if (seen.has(requestId)) throw new MergeError(`request ${requestId} is in two of them`);
    seen.add(requestId);
  }
}

function sumOfPlans(headers: readonly TraceHeader[]): TraceHeader['plan'] {
  // Parts of one run state the plan of the whole.
  const plans = [...new Map(headers.map(({ runId, plan }) => [runId, plan])).values()];
  return {
    requestsMax: plans.reduce((sum, { requestsMax }) => sum + requestsMax, 0),
    peakRequestsPerSecond: plans.reduce((sum, plan) => sum + plan.peakRequestsPerSecond, 0),
    seconds: Math.max(...plans.map(({ seconds }) => seconds)),
  };
}

/** The parts of one scenario of one run are one line: complete where all are, and their counts added up. */
function mergedLoads(traces: readonly Trace[]): readonly LoadLine[] {
  const merged = new Map<string, LoadLine>();
  for (const { header, loads } of traces) {
    for (const line of loads) {
      const id = `${header.runId} ${line.scenario}`;
      const known = merged.get(id);
      merged.set(id, known === undefined ? line : together(known, line));
    }
  }
  return [...merged.values()];
}

function together(one: LoadLine, other: LoadLine): LoadLine {
  const states = [one.state, other.state];
  const reasons = [one.reason, other.reason].filter((reason) => reason !== null);
  const alike = one.state === other.state ? one.state : 'incomplete';
  return {
    ...one,
    state: states.includes('incomplete') ? 'incomplete' : alike,
    reason: reasons.length === 0 ? null : [...new Set(reasons)].join('; '),
    requestsSent:
      one.requestsSent === null || other.requestsSent === null ? null : one.requestsSent + other.requestsSent,
  };
}

function mergedEnd(ends: readonly (EndLine | null)[]): EndLine | null {
  const written = ends.filter((end) => end !== null);
  const [first] = written;
  // One part that died leaves the whole without an end.
  if (first === undefined || written.length < ends.length) return null;
  const broken = written.filter(({ complete }) => !complete);
  const stopped = written.find(({ stoppedBy }) => stoppedBy !== undefined);
  return {
    kind: 'end',
    endedAt: written.map(({ endedAt }) => endedAt).reduce((one, other) => (one > other ? one : other)),
    complete: broken.length === 0,
    reason: broken.length === 0 ? null : broken.map(({ reason }) => reason ?? 'not said').join('; '),
    ...(stopped?.stoppedBy === undefined ? {} : { stoppedBy: stopped.stoppedBy }),
  };
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}
