import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { pendingRow } from '../../run/progress/progress.ts';
import { plainLines } from './lines.ts';

const row = 'identify';

/** What a display writes of events at moments, s. */
function written(
  events: readonly { readonly atSeconds: number; readonly text: string }[],
): readonly string[] {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk).trim());
      done();
    },
  });
  let ms = 0;
  const display = plainLines({
    stream: stream as WriteStream,
    rows: [pendingRow(row, null)],
    nowMs: () => ms,
  });
  for (const { atSeconds, text } of events) {
    ms = 1_000 * atSeconds;
    display.show({ row, kind: 'doing', text });
  }
  return lines;
}

it('says each phase once', () => {
  const events = [1, 2, 3].flatMap((at) => [
    { atSeconds: at, text: 'waiting' },
    { atSeconds: at, text: 'asking' },
  ]);
  expect(written(events)).toEqual(['1.0 s  identify  waiting', '1.0 s  identify  asking']);
});

it('says again what is being done once a minute has passed without a line', () => {
  const events = [0, 30, 61, 90, 122].map((atSeconds) => ({ atSeconds, text: 'waiting' }));
  expect(written(events)).toEqual([
    '0.0 s  identify  waiting',
    '61.0 s  identify  waiting',
    '122.0 s  identify  waiting',
  ]);
});
