import type { Exchange } from './exchange.ts';
import { withClocksNamed } from './exchange-store.ts';
import { greatestOf } from './extremes.ts';
import { RequestsOnce } from './requests-once.ts';
import { wasInFlight } from './sent.ts';
import { repeatedNote, type Trace } from './trace.ts';
import type { TraceHeader } from './trace-header.ts';
import type { EndLine, LoadLine } from './trace-lines.ts';

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
 * have stated their offsets already; all others get `clockOffsetMsMax` on top. What stands in several of them counts once.
 * @throws {MergeError} where their deployments, windows or limits differ, or two exchanges of one request do.
 */
export function mergeTraces(given: readonly Trace[], { clockOffsetMsMax }: MergeOptions): Trace {
  const [only, second] = given;
  if (only === undefined) throw new MergeError('there is no trace to merge');
  if (second === undefined) return only;
  const written = given.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  const isAnyTwice = repeatsAny(given, written);
  const traces = isAnyTwice ? withoutCopies(given) : given;
  const [first = only, ...others] = traces;
  for (const [at, other] of others.entries()) checkAlike(first.header, other.header, at + 2);
  const parts = traces.map((trace) => renamedClocks(trace, { traces, clockOffsetMsMax }));
  const all = parts.flatMap((part) => part.exchanges);
  const exchanges = isAnyTwice ? eachOnce(all) : all;
  const repeated = written - exchanges.length;
  const unknown = traces.find(({ unknownRequests }) => unknownRequests !== undefined)?.unknownRequests;
  const notes = traces.flatMap((trace) => trace.notes);
  const clocks = new Map(parts.flatMap((part) => part.clocks.map((clock) => [clock.id, clock] as const)));
  return {
    header: {
      ...first.header,
      startedAt: traces.map(({ header }) => header.startedAt).toSorted()[0] ?? first.header.startedAt,
      mode: traces.every(({ header }) => header.mode === first.header.mode) ? first.header.mode : 'full',
      clocks: [...clocks.values()],
      plan: sumOfPlans(traces.map(({ header }) => header)),
    },
    exchanges,
    loads: mergedLoads(traces),
    leftOut: traces.flatMap(({ leftOut = [] }) => leftOut),
    clockLines: parts.flatMap((part) => part.clockLines),
    notes: repeated === 0 ? notes : [repeatedNote(first.header, repeated), ...notes],
    end: mergedEnd(traces.map(({ end }) => end)),
    ...(unknown === undefined ? {} : { unknownRequests: unknown }),
  };
}

function checkAlike(first: TraceHeader, other: TraceHeader, number: number): void {
  const fields = ['windowMs', 'limits', 'deployment', 'keys'] as const;
  const different = fields.filter((field) => JSON.stringify(first[field]) !== JSON.stringify(other[field]));
  if (different.length === 0) return;
  throw new MergeError(`trace ${number} differs from the first in ${different.join(' and ')}`);
}

type Parts = { readonly traces: readonly Trace[]; readonly clockOffsetMsMax: number };

/** The exchanges and clocks of a part, under names that no clock of an earlier part means something else by. */
function renamedClocks({ header, exchanges, clockLines = [] }: Trace, { traces, clockOffsetMsMax }: Parts) {
  // The first part of the same clockwork, which may be this one, gives the name and the offset.
  const reference = traces.findIndex((earlier) => isSameClockwork(earlier.header, header));
  const name = (id: string): string => (reference === 0 ? id : `${id}#${reference + 1}`);
  const moreMs = reference === 0 ? 0 : clockOffsetMsMax;
  return {
    exchanges: reference === 0 ? exchanges : withClocksNamed(exchanges, name),
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

/** Whether any request stands in them twice: as long as none does, none of what that leads to need be looked for. */
function repeatsAny(traces: readonly Trace[], written: number): boolean {
  const requests = new RequestsOnce(written);
  return traces.some(({ exchanges }) => exchanges.some((exchange) => requests.add(exchange) !== -1));
}

/** The traces that say something that no other does: a copy, or a part beside its whole, would count twice. */
function withoutCopies(traces: readonly Trace[]): readonly Trace[] {
  const requests = traces.map(({ exchanges }) => onceOf(exchanges));
  const isIn = (part: RequestsOnce, whole: RequestsOnce): boolean =>
    part.all.length > 0 &&
    part.all.every((exchange) => {
      const same = whole.all[whole.find(exchange.requestId)];
      return same !== undefined && (wasInFlight(exchange) || isSame(exchange, same));
    });
  return traces.filter((_, at) => {
    const part = requests[at] as RequestsOnce;
    return !requests.some(
      (whole, other) => other !== at && isIn(part, whole) && (other < at || !isIn(whole, part)),
    );
  });
}

function onceOf(exchanges: readonly Exchange[]): RequestsOnce {
  const requests = new RequestsOnce(exchanges.length);
  for (const exchange of exchanges) requests.add(exchange);
  return requests;
}

function isSame(one: Exchange, other: Exchange): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A request that stands in two traces was sent once. Where one of them ended before its answer, the other has it. */
function eachOnce(exchanges: readonly Exchange[]): readonly Exchange[] {
  const requests = new RequestsOnce(exchanges.length);
  for (const exchange of exchanges) {
    const at = requests.add(exchange);
    const before = requests.all[at];
    if (before === undefined) continue;
    if (wasInFlight(before)) requests.all[at] = exchange;
    else if (!wasInFlight(exchange) && !isSame(before, exchange))
      throw new MergeError(`they have two different exchanges of request ${exchange.requestId}`);
  }
  return requests.all;
}

function sumOfPlans(headers: readonly TraceHeader[]): TraceHeader['plan'] {
  // Parts of one run state the plan of the whole.
  const plans = [...new Map(headers.map(({ runId, plan }) => [runId, plan])).values()];
  return {
    requestsMax: plans.reduce((sum, { requestsMax }) => sum + requestsMax, 0),
    peakRequestsPerSecond: plans.reduce((sum, plan) => sum + plan.peakRequestsPerSecond, 0),
    seconds: greatestOf(plans.map(({ seconds }) => seconds)),
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
  const reasons = [one.reason, other.reason].filter((reason) => reason !== null);
  return {
    ...one,
    state: one.state === other.state ? one.state : 'incomplete',
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
    endedAt:
      written
        .map(({ endedAt }) => endedAt)
        .toSorted()
        .at(-1) ?? first.endedAt,
    complete: broken.length === 0,
    reason: broken.length === 0 ? null : broken.map(({ reason }) => reason ?? 'not said').join('; '),
    ...(stopped?.stoppedBy === undefined ? {} : { stoppedBy: stopped.stoppedBy }),
  };
}
