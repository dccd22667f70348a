import { once } from '../contract/once.ts';
import type { Trace } from '../contract/trace.ts';
import type { ClockLine } from '../contract/trace-lines.ts';

/** How far, ms, the times of a clock are widened on both sides so that they hold on the trace's first clock. */
export type Widening = (clock: string) => number;

/**
 * Where one clock alone is in use its times are taken as they are. Else each of a clock's moments lies within its stated
 * offset, and what the trace shows wall and monotonic time to be apart, of where the first clock would put it: an
 * interval widened by that much holds the moment of counting, as on a slower network. A clock that the trace does not
 * state may be off by anything. So may a wall clock while nobody compared it with a monotonic one: whether it was set
 * meanwhile is not known.
 */
export const wideningOf = once((trace: Trace): Widening => {
  const { header, exchanges, clockLines = [] } = trace;
  const untied = untiedClocks(trace);
  const first = exchanges[0]?.clock;
  if (exchanges.every(({ clock }) => clock === first))
    return (clock) => (untied.has(clock) ? Number.POSITIVE_INFINITY : 0);
  const offsets = new Map(header.clocks.map(({ id, offsetMsMax }) => [id, offsetMsMax]));
  const apartInExchangesMs = exchanges.reduce((worst, { wallSentMs, sentMs }) => {
    return wallSentMs === null ? worst : Math.max(worst, Math.abs(wallSentMs - sentMs));
  }, 0);
  const apartMs = clockLines.reduce(
    (worst, { wallMs, monotonicMs }) => Math.max(worst, Math.abs(wallMs - monotonicMs)),
    apartInExchangesMs,
  );
  return (clock) => {
    if (untied.has(clock)) return Number.POSITIVE_INFINITY;
    const offsetMs = offsets.get(clock) ?? Number.POSITIVE_INFINITY;
    return offsetMs === 0 ? 0 : offsetMs + apartMs;
  };
});

/** Wall clocks that timed requests alone, at a time that the clock lines they are tied by do not cover. */
function untiedClocks({ header, exchanges, clockLines = [] }: Trace): ReadonlySet<string> {
  const walls = new Map(
    header.clocks.filter(({ kind }) => kind === 'wall').map(({ id, tiedBy }) => [id, tiedBy]),
  );
  const untied = new Set<string>();
  if (walls.size === 0) return untied;
  const covers = coverOf(clockLines);
  for (const { clock, sentMs, receivedMs, wallSentMs } of exchanges) {
    if (wallSentMs !== null || !walls.has(clock) || untied.has(clock)) continue;
    const isCovered = covers(walls.get(clock), sentMs) && covers(walls.get(clock), receivedMs ?? sentMs);
    if (!isCovered) untied.add(clock);
  }
  return untied;
}

/** Whether a moment of the wall clock lies between two looks of a clock, or soon after the last one. */
function coverOf(clockLines: readonly ClockLine[]): (clock: string | undefined, ms: number) => boolean {
  const spans = new Map<string, { lowMs: number; highMs: number }>();
  for (const { clock, wallMs } of clockLines) {
    const span = spans.get(clock) ?? { lowMs: wallMs, highMs: wallMs };
    spans.set(clock, { lowMs: Math.min(span.lowMs, wallMs), highMs: Math.max(span.highMs, wallMs) });
  }
  return (clock, ms) => {
    const span = clock === undefined ? undefined : spans.get(clock);
    return span !== undefined && ms >= span.lowMs && ms <= span.highMs;
  };
}
