import type { ProbeKey } from '../../checks/driver.ts';
import { openTrace } from '../../checks/trace-writer.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { EndLine, LoadLine, TraceHeader } from '../../contract/trace.ts';
import { keyRemover, withoutKeys } from './without-keys.ts';

/** Writes a run down while it happens; no key gets through. */
export type Recorder = {
  readonly path: string;
  readonly exchange: (exchange: Exchange) => void;
  readonly load: (line: LoadLine) => void;
  readonly note: (text: string) => void;
  /** The last line, and the end of the file. */
  readonly end: (end: RunEnd) => void;
};

/** How a run ended: `reason` is `null` where it is complete. */
export type RunEnd = Pick<EndLine, 'reason' | 'stoppedBy'>;

export type RecorderOptions = {
  readonly path: string;
  readonly header: TraceHeader;
  readonly keys: readonly ProbeKey[];
  /** ms since the Unix epoch. */
  readonly nowMs: () => number;
};

export function openRecorder({ path, header, keys, nowMs }: RecorderOptions): Recorder {
  const trace = openTrace(path, header);
  const remove = keyRemover(keys);
  return {
    path,
    exchange: (exchange) => trace.write(withoutKeys(exchange, remove)),
    load: (line) => trace.write({ ...line, reason: line.reason === null ? null : remove(line.reason) }),
    note: (text) => trace.write({ kind: 'note', atMs: nowMs(), text: remove(text) }),
    end: ({ reason, ...rest }) => {
      const endedAt = new Date(nowMs()).toISOString();
      const said = reason === null ? null : remove(reason);
      trace.write({ kind: 'end', endedAt, complete: reason === null, reason: said, ...rest });
      trace.close();
    },
  };
}
