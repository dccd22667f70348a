import { dirname, join } from 'node:path';
import type { Exchange } from '../../contract/exchange.ts';
import { maskedExchange } from '../../contract/secret/masked-exchange.ts';
import { shownPathOf } from '../../contract/secret/secret-names.ts';
import type { SentLine } from '../../contract/sent.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import type {
  ClockLine,
  EndLine,
  LeftOutLine,
  LoadLine,
  NoteLine,
  TraceLine,
} from '../../contract/trace-lines.ts';
import { endTrace, openTrace, type RunEnd } from './trace-writer.ts';
import type { KeyRemover } from './without-keys.ts';

export type RecorderOptions<Header> = {
  readonly path: string;
  readonly header: Header;
  /** Masks keys in what is written. */
  readonly remove: KeyRemover;
  /** ms since the Unix epoch. */
  readonly nowMs: () => number;
};

/** Writes what we send down while it happens. */
export type Recorder<Line> = {
  /** A line whose text from the target holds no key. */
  readonly write: (line: Line) => void;
  /** The same, before this process waits for anything again. */
  readonly writeSoon: (line: Line) => void;
  readonly note: (text: string) => void;
  /** The last line, and the end of the file. */
  readonly end: (end: RunEnd) => void;
};

/** The part of a recorder that is alike for every kind of trace. */
export function openRecorder<Line extends { readonly kind: string }>({
  path,
  header,
  remove,
  nowMs,
}: RecorderOptions<Line>): Recorder<Line> {
  const trace = openTrace<Line | NoteLine | EndLine>(path, header);
  return {
    write: trace.write,
    writeSoon: trace.writeSoon,
    note: (text) => trace.write({ kind: 'note', atMs: nowMs(), text: remove(text) }),
    end: (end) => {
      const reason = end.reason === null ? null : remove(end.reason);
      endTrace(trace, { ...end, reason }, nowMs());
    },
  };
}

/** Writes a run against a deployment down while it happens; no key gets through. */
export type RunRecorder = Pick<Recorder<TraceLine>, 'note' | 'end'> & {
  /** What is about to be sent; nothing of it came from the target, and its query alone may hold a secret. */
  readonly sent: (line: SentLine) => void;
  readonly exchange: (exchange: Exchange) => void;
  /** A load scenario is about to send. */
  readonly begun: (scenario: string) => void;
  readonly load: (line: LoadLine) => void;
  readonly leftOut: (line: LeftOutLine) => void;
  readonly clocks: (line: ClockLine) => void;
  /** What one of several k6 processes sent, as a trace of its own beside the whole one. */
  readonly part: (part: Part) => void;
};

type Part = {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly exchanges: readonly Exchange[];
  /** What the clocks showed meanwhile. */
  readonly clockLines: readonly ClockLine[];
  readonly line: LoadLine;
};

export function openRunRecorder(options: RecorderOptions<TraceHeader>): RunRecorder {
  const { path, remove, nowMs } = options;
  const { write, writeSoon, note, end } = openRecorder<TraceLine>(options);
  const exchange = (one: Exchange): void => writeSoon(maskedExchange(one, remove));
  const load = (line: LoadLine): void =>
    write({ ...line, reason: line.reason === null ? null : remove(line.reason) });
  return {
    note,
    end,
    sent: (line) => write({ ...line, path: shownPathOf(line.path) }),
    exchange,
    begun: (scenario) => write({ kind: 'begun', scenario, atMs: nowMs() }),
    load,
    leftOut: write,
    clocks: write,
    part: ({ name, exchanges, clockLines, line }) => {
      // The header is that of the whole run, which states the offsets of all clocks: so the parts can be judged as one.
      const recorder = openRunRecorder({ ...options, path: join(dirname(path), `${name}.ndjson`) });
      for (const one of exchanges) recorder.exchange(one);
      for (const one of clockLines) recorder.clocks(one);
      recorder.load(line);
      recorder.end({ reason: line.reason });
    },
  };
}
