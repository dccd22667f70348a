import { seconds } from '../../contract/quantities.ts';
import {
  advanced,
  countdownText,
  countText,
  type Display,
  hasEnded,
  type Progress,
} from '../../run/progress/progress.ts';
import type { DisplayOptions } from './display-options.ts';

/** After so long without a line, what is being done is said again, ms: a log that stands still for minutes looks dead. */
const silentMsMax = 60_000;

/** A line for each new phase of a row, and for its end: for logs, where nothing can be redrawn. */
export function plainLines({ stream, rows, nowMs }: DisplayOptions): Display {
  const startMs = nowMs();
  const labelWidth = Math.max(...rows.map(({ id }) => id.length));
  const said = new Set<string>();
  let progress: Progress = rows;
  let lastMs = startMs;
  return {
    show: (event) => {
      progress = advanced(progress, event);
      const row = progress.find(({ id }) => id === event.row);
      if (row === undefined || event.kind === 'answered') return;
      const phase = `${row.id} ${row.doing}`;
      const atMs = nowMs();
      if (said.has(phase) && atMs - lastMs < silentMsMax) return;
      said.add(phase);
      lastMs = atMs;
      const time = seconds(atMs - startMs, 1).padStart(8);
      const text = `${row.doing}${countdownText(row, atMs)}${hasEnded(row) ? countText(row) : ''}`;
      stream.write(`${time}  ${row.id.padEnd(labelWidth)}  ${text}\n`);
    },
    close: () => Promise.resolve(),
  };
}
