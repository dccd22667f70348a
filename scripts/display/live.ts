import { Listr, ListrLogger, ProcessOutput } from 'listr2';
import {
  advanced,
  type Display,
  hasEnded,
  type Progress,
  type Row,
  rowText,
} from '../../run/progress/progress.ts';
import type { DisplayOptions } from './display-options.ts';

/** Fast enough for a countdown in seconds, slow enough not to disturb the probes. */
const refreshMs = 250;

/** Room that listr2 takes for its spinner. */
const spinnerColumns = 4;

type Task = { title: string };
type Handle = { readonly task: Task; readonly end: (row: Row) => void };

/** One row for each part of the run, redrawn in place with countdowns. */
export function liveRows({ stream, rows, nowMs }: DisplayOptions): Display {
  const labelWidth = Math.max(...rows.map(({ id }) => id.length));
  const handles = new Map<string, Handle>();
  let progress: Progress = rows;
  const textOf = (row: Row): string => {
    const width = (stream.columns ?? 80) - spinnerColumns;
    const text = rowText(row, { nowMs: nowMs(), labelWidth });
    return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
  };
  const redraw = (): void => {
    for (const row of progress) {
      const handle = handles.get(row.id);
      if (handle === undefined) continue;
      handle.task.title = textOf(row);
      if (hasEnded(row)) handle.end(row);
    }
  };
  const tasks = rows.map((row) => ({
    title: textOf(row),
    task: (_context: unknown, task: Task) =>
      new Promise<void>((resolve, reject) => {
        const end = ({ state, doing }: Row): void =>
          state === 'failed' ? reject(new Error(doing)) : resolve();
        handles.set(row.id, { task, end });
      }),
  }));
  const listr = new Listr(tasks, {
    concurrent: true,
    exitOnError: false,
    registerSignalListeners: false,
    // The caller has looked at the stream; listr2 would look at standard output, which may be a file.
    forceTTY: true,
    renderer: 'default',
    rendererOptions: {
      logger: new ListrLogger({ useIcons: true, processOutput: new ProcessOutput(stream, stream) }),
      showErrorMessage: false,
    },
  });
  const running = listr.run();
  const timer = setInterval(redraw, refreshMs);
  return {
    show: (event) => {
      progress = advanced(progress, event);
    },
    close: async () => {
      clearInterval(timer);
      progress = progress.map(brokenOff);
      // A task that has not been started yet registers its handle in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      redraw();
      await running;
    },
  };
}

/** A row that was still open at the end. */
function brokenOff(row: Row): Row {
  if (hasEnded(row)) return row;
  const broken = { ...row, state: 'failed', untilMs: null } as const;
  return row.state === 'pending'
    ? { ...broken, doing: 'not run', answered: 0 }
    : { ...broken, doing: 'broken off' };
}
