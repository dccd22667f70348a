import type { Clock } from '../../checks/clock.ts';
import { bounds } from '../../contract/bounds.ts';
import type { ClockLine } from '../../contract/trace.ts';

export type ClockWatchOptions = {
  readonly clock: Clock;
  /** Id of the monotonic clock, as exchanges name it. */
  readonly id: string;
  readonly onLine: (line: ClockLine) => void;
};

/** Ends with a last line. */
export type ClockWatch = { readonly stop: () => void };

/** A step is placed between two looks, so what is sent meanwhile proves nothing, ms. */
const lookEveryMs = 100;

/**
 * Compares both clocks of this machine while something else times requests by the wall clock alone. Two steps that
 * cancel each other between two looks are not seen.
 */
export function watchClocks({ clock, id, onLine }: ClockWatchOptions): ClockWatch {
  const thin = lineThinner();
  const look = (wish: 'wanted' | 'if-needed'): void => {
    for (const line of thin(lookAt(clock, id), wish)) onLine(line);
  };
  look('wanted');
  const timer = setInterval(() => look('if-needed'), lookEveryMs);
  return {
    stop: () => {
      clearInterval(timer);
      look('wanted');
    },
  };
}

const looksMax = 5;
const nearMs = 0.2;

/** Both clocks at once: a process that is stopped between the two readings looks again. */
function lookAt({ nowMs, wallMs }: Clock, clock: string): ClockLine {
  let best: ClockLine | null = null;
  let leastMs = Number.POSITIVE_INFINITY;
  for (let look = 0; look < looksMax && leastMs > nearMs; look += 1) {
    const beforeMs = nowMs();
    const wall = wallMs();
    const afterMs = nowMs();
    if (afterMs - beforeMs >= leastMs) continue;
    leastMs = afterMs - beforeMs;
    best = { kind: 'clock', clock, monotonicMs: (beforeMs + afterMs) / 2, wallMs: wall };
  }
  if (best === null) throw new Error('a clock went backwards between two readings');
  return best;
}

/** A line at least this often, ms: a run that dies leaves what was timed until then. */
const lineEveryMs = 1_000;

/** The wall clock shows whole milliseconds, so that two looks differ by up to one without a step. */
const movedMs = 0.75 * bounds.clockStepMs;

/** Which looks become lines: those on both sides of a step, and a few of the others. */
export function lineThinner(): (look: ClockLine, wish: 'wanted' | 'if-needed') => readonly ClockLine[] {
  let written: ClockLine | null = null;
  let before: ClockLine | null = null;
  const apartMs = (line: ClockLine): number => line.wallMs - line.monotonicMs;
  return (look, wish) => {
    const unwritten = before === written ? null : before;
    before = look;
    const moved = written !== null && Math.abs(apartMs(look) - apartMs(written)) > movedMs;
    const isDue = written === null || look.monotonicMs - written.monotonicMs >= lineEveryMs;
    if (wish === 'if-needed' && !moved && !isDue) return [];
    written = look;
    return moved && unwritten !== null ? [unwritten, look] : [look];
  };
}
