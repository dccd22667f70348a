import { dirname, join } from 'node:path';
import type { ProbeKey } from '../../checks/driver.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { EndLine, LoadLine, TraceHeader } from '../../contract/trace.ts';
import { openTrace } from './trace-writer.ts';
import { type KeyRemover, keyRemover, withoutKeys } from './without-keys.ts';

/** Writes a run down while it happens; no key gets through. */
export type Recorder = {
  readonly path: string;
  readonly exchange: (exchange: Exchange) => void;
  readonly load: (line: LoadLine) => void;
  readonly note: (text: string) => void;
  /** What one of several k6 processes sent, as a trace of its own beside the whole one. */
  readonly part: (part: Part) => void;
  /** The last line, and the end of the file. */
  readonly end: (end: RunEnd) => void;
};

export type Part = {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
  readonly line: LoadLine;
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
    load: (line) => trace.write(lineWithout(line, remove)),
    part: (part) => writePart(part, { path, header, remove, nowMs }),
    note: (text) => trace.write({ kind: 'note', atMs: nowMs(), text: remove(text) }),
    end: ({ reason, ...rest }) => {
      const endedAt = new Date(nowMs()).toISOString();
      const said = reason === null ? null : remove(reason);
      trace.write({ kind: 'end', endedAt, complete: reason === null, reason: said, ...rest });
      trace.close();
    },
  };
}

type PartOptions = Omit<RecorderOptions, 'keys'> & { readonly remove: KeyRemover };

/** The header is that of the whole run, which states the offsets of all clocks: so the parts can be judged as one. */
function writePart({ name, exchanges, line }: Part, { path, header, remove, nowMs }: PartOptions): void {
  const trace = openTrace(join(dirname(path), `${name}.ndjson`), header);
  for (const exchange of exchanges) trace.write(withoutKeys(exchange, remove));
  trace.write(lineWithout(line, remove));
  const { state, reason } = lineWithout(line, remove);
  const endedAt = new Date(nowMs()).toISOString();
  trace.write({ kind: 'end', endedAt, complete: state === 'complete', reason });
  trace.close();
}

function lineWithout(line: LoadLine, remove: KeyRemover): LoadLine {
  return { ...line, reason: line.reason === null ? null : remove(line.reason) };
}
