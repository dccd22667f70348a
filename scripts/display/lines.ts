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

/** A line for each new phase of a row, and for its end: for logs, where nothing can be redrawn. */
export function plainLines({ stream, rows, nowMs }: DisplayOptions): Display {
  const startMs = nowMs();
  const labelWidth = Math.max(...rows.map(({ id }) => id.length));
  const said = new Set<string>();
  let progress: Progress = rows;
  return {
    show: (event) => {
      progress = advanced(progress, event);
      const row = progress.find(({ id }) => id === event.row);
      if (row === undefined || event.kind === 'answered') return;
      const phase = `${row.id} ${row.doing}`;
      if (said.has(phase)) return;
      said.add(phase);
      const time = seconds(nowMs() - startMs, 1).padStart(8);
      const text = `${row.doing}${countdownText(row, nowMs())}${hasEnded(row) ? countText(row) : ''}`;
      stream.write(`${time}  ${row.id.padEnd(labelWidth)}  ${text}\n`);
    },
    close: () => Promise.resolve(),
  };
}
