import type { Trace } from '../contract/trace.ts';

/** How far, ms, the times of a clock are widened on both sides so that they hold on the trace's first clock. */
export type Widening = (clock: string) => number;

/**
 * Where one clock alone is in use its times are taken as they are. Else each of a clock's moments lies within its stated
 * offset, and what the trace shows wall and monotonic time to be apart, of where the first clock would put it: an
 * interval widened by that much holds the moment of counting, as on a slower network. A clock that the trace does not
 * state may be off by anything.
 */
export function wideningOf({ header, exchanges }: Trace): Widening {
  const first = exchanges[0]?.clock;
  if (exchanges.every(({ clock }) => clock === first)) return () => 0;
  const offsets = new Map(header.clocks.map(({ id, offsetMsMax }) => [id, offsetMsMax]));
  const apartMs = exchanges.reduce((worst, { wallSentMs, sentMs }) => {
    return wallSentMs === null ? worst : Math.max(worst, Math.abs(wallSentMs - sentMs));
  }, 0);
  return (clock) => {
    const offsetMs = offsets.get(clock) ?? Number.POSITIVE_INFINITY;
    return offsetMs === 0 ? 0 : offsetMs + apartMs;
  };
}
