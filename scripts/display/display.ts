import type { WriteStream } from 'node:tty';
import { systemClock } from '../../checks/clock.ts';
import type { Display } from '../../run/progress/progress.ts';
import type { RunContext } from '../../run/run-context.ts';
import type { DriveContext } from '../../run/webhooks/conduct-drive.ts';
import { driveAnnouncement, runAnnouncement } from '../texts/announcement.ts';
import type { DisplayOptions } from './display-options.ts';
import { plainLines } from './lines.ts';
import { liveRows } from './live.ts';

/** Rows that are redrawn in place, or a line for each new phase; or nothing. */
export type DisplayKind = 'live' | 'lines' | 'none';

const silent: Display = { show: () => undefined, close: () => Promise.resolve() };

/** Rows can be redrawn on a terminal only, and not in CI. */
export function displayKindFor(
  stream: WriteStream,
  env: Readonly<Record<string, string | undefined>>,
): Exclude<DisplayKind, 'none'> {
  return stream.isTTY && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '' ? 'live' : 'lines';
}

export function openDisplay(kind: DisplayKind, options: DisplayOptions): Display {
  if (kind === 'none') return silent;
  return kind === 'live' ? liveRows(options) : plainLines(options);
}

/** Where a run is shown: standard output, or standard error if the report goes to standard output. */
export type Screen = { readonly stream: WriteStream; readonly kind: DisplayKind; readonly cwd: string };

/** Shows a run: its first lines, then its progress. */
export function runOn({ stream, kind, cwd }: Screen): RunContext['onBegin'] {
  return (begun) => {
    if (kind === 'none') return silent;
    stream.write(
      runAnnouncement(begun, cwd)
        .map((line) => `${line}\n`)
        .join(''),
    );
    return openDisplay(kind, { stream, rows: begun.rows, nowMs: systemClock.nowMs });
  };
}

/** Shows a drive of a receiver: its first lines, then its progress. */
export function driveOn({ stream, kind, cwd }: Screen): DriveContext['onBegin'] {
  return (begun) => {
    stream.write(
      driveAnnouncement(begun, cwd)
        .map((line) => `${line}\n`)
        .join(''),
    );
    return openDisplay(kind, { stream, rows: begun.rows, nowMs: systemClock.nowMs });
  };
}
