import { bothClocks, type Clock } from '../../checks/clock.ts';
import { lookThinner } from '../../contract/clock-looks.ts';
import type { ClockLine } from '../../contract/trace-lines.ts';

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
  const thin = lookThinner();
  const look = (wish: 'wanted' | 'if-needed'): void => {
    for (const seen of thin(bothClocks(clock), wish)) onLine({ kind: 'clock', clock: id, ...seen });
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
