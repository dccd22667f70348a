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
  let isShown = false;
  const clear = (): void => {
    if (isShown) stream.write('\r\u001b[K');
    isShown = false;
  };
  return {
    show: (text) => {
      if (kind === 'lines') {
        stream.write(`${text}\n`);
        return;
      }
      clear();
      stream.write(text.slice(0, (stream.columns ?? 80) - 1));
      isShown = true;
    },
    clear,
  };
}
