import type { WriteStream } from 'node:tty';
import type { DisplayKind } from './display.ts';

/** One line that says what takes long at the moment. */
export type StatusLine = {
  readonly show: (text: string) => void;
  /** Takes the line away, for what is to stay. */
  readonly clear: () => void;
};

/** On a terminal the line is written over; in a log there is a line for each text. */
export function statusLine(stream: WriteStream, kind: DisplayKind): StatusLine {
  let shown = '';
  // Without an escape sequence: what goes to two streams must not depend on how much of it each has let out already.
  const clear = (): void => {
    if (shown !== '') stream.write(`\r${' '.repeat(shown.length)}\r`);
    shown = '';
  };
  return {
    show: (text) => {
      if (kind === 'lines') {
        stream.write(`${text}\n`);
        return;
      }
      clear();
      shown = text.slice(0, (stream.columns ?? 80) - 1);
      stream.write(shown);
    },
    clear,
  };
}
