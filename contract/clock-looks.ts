import { bounds } from './bounds.ts';
import type { ClockLine } from './trace-lines.ts';

/** Both clocks of a machine at once. */
export type Look = Pick<ClockLine, 'monotonicMs' | 'wallMs'>;

/** A line at least this often, ms: a run that dies leaves what was timed until then. */
const lineEveryMs = 1_000;

/** The wall clock shows whole milliseconds, so that two looks differ by up to one without a step. */
const movedMs = 0.75 * bounds.clockStepMs;

/** Which looks become lines: those on both sides of a step, and a few of the others. */
export function lookThinner(): (look: Look, wish: 'wanted' | 'if-needed') => readonly Look[] {
  let written: Look | null = null;
  let before: Look | null = null;
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

function apartMs({ wallMs, monotonicMs }: Look): number {
  return wallMs - monotonicMs;
}
