import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../contract/thrown.ts';
import { journalSegmentBytesMax } from '../choices.ts';
import { ServiceError } from '../service-error.ts';
import { type JournalLine, parseSegment } from './journal-file.ts';
import { lockDirectory } from './journal-lock.ts';
import type { OutboxEntry } from './outbox.ts';

/**
 * The events that were accepted and are not settled, on disk. A service that was killed delivers them after its next
 * start.
 */
export type Journal = {
  /** The events that an earlier service left behind. */
  readonly recovered: RecoveredJournal;
  /** When it returns, the operating system has the entries: they survive the process, but not a power failure. */
  accept(entries: readonly OutboxEntry[], messages: number): void;
  /** Written a moment later, many at a time. An event whose settlement a crash lost is delivered once more. */
  settle(sequence: number): void;
  close(): void;
};

export type RecoveredJournal = {
  readonly entries: readonly OutboxEntry[];
  /** Highest sequence and message number ever given. */
  readonly sequence: number;
  readonly messages: number;
};

type OpenSegment = { readonly file: number; readonly number: number; bytes: number };

const segmentName = /^webhooks-(\d{8})\.ndjson$/;

/** How long settled events may wait before they are written, ms. */
const settleDelayMs = 20;

/**
 * A journal in segments. It only appends, begins a new file when one is full, and deletes the oldest when all its
 * events are settled. So the events that wait bound its size, and nothing is ever rewritten.
 * @throws {ServiceError} where the directory cannot be used.
 */
export function openJournal(directory: string, segmentBytesMax = journalSegmentBytesMax): Journal {
  const unlock = prepared(directory);
  try {
    return new SegmentedJournal(directory, { segmentBytesMax, unlock, segments: readSegments(directory) });
  } catch (error) {
    unlock();
    throw error;
  }
}

type JournalParts = {
  readonly segmentBytesMax: number;
  readonly unlock: () => void;
  readonly segments: readonly NumberedSegment[];
};

class SegmentedJournal implements Journal {
  readonly recovered: RecoveredJournal;
  readonly #directory: string;
  readonly #parts: JournalParts;
  /** Segment of each event that is not settled, and how many such events each segment has, oldest first. */
  readonly #segmentOf = new Map<number, number>();
  readonly #unsettled = new Map<number, number>();
  #last: { sequence: number; messages: number };
  #current: OpenSegment;
  /** A line could not be written whole: it must stay the last of its file. */
  #isBroken = false;
  #settled: number[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isOpen = true;

  constructor(directory: string, parts: JournalParts) {
    this.#directory = directory;
    this.#parts = parts;
    this.recovered = recoveredFrom(parts.segments);
    const { sequence, messages, entries } = this.recovered;
    this.#last = { sequence, messages };
    const pending = new Set(entries.map((entry) => entry.sequence));
    for (const { number, segment } of parts.segments) {
      this.#unsettled.set(number, 0);
      for (const entry of segment.accepted)
        if (pending.has(entry.sequence)) this.#hold(entry.sequence, number);
    }
    this.#current = this.#begin((parts.segments.at(-1)?.number ?? 0) + 1);
    this.#dropSettledSegments();
  }

  accept(entries: readonly OutboxEntry[], messages: number): void {
    this.#write({ accepted: [...entries], messages });
    const sequence = entries.reduce((most, entry) => Math.max(most, entry.sequence), this.#last.sequence);
    this.#last = { sequence, messages };
    for (const entry of entries) this.#hold(entry.sequence, this.#current.number);
  }

  settle(sequence: number): void {
    const segment = this.#segmentOf.get(sequence);
    if (segment === undefined || !this.#isOpen) return;
    this.#segmentOf.delete(sequence);
    this.#unsettled.set(segment, (this.#unsettled.get(segment) ?? 1) - 1);
    this.#settled.push(sequence);
    this.#timer ??= setTimeout(() => this.#flushIfPossible(), settleDelayMs);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#flushIfPossible();
    this.#isOpen = false;
    closeSync(this.#current.file);
    this.#parts.unlock();
  }

  #hold(sequence: number, segment: number): void {
    this.#segmentOf.set(sequence, segment);
    this.#unsettled.set(segment, (this.#unsettled.get(segment) ?? 0) + 1);
  }

  #begin(number: number): OpenSegment {
    const path = join(this.#directory, nameOf(number));
    const segment = { file: openSync(path, 'wx', 0o600), number, bytes: 0 };
    try {
      append(segment, { journal: 1, ...this.#last });
    } catch (error) {
      closeSync(segment.file);
      unlinkSync(path);
      throw error;
    }
    this.#unsettled.set(number, 0);
    return segment;
  }

  #write(line: JournalLine): void {
    if (this.#isBroken || this.#current.bytes >= this.#parts.segmentBytesMax) {
      const { file, number } = this.#current;
      this.#current = this.#begin(number + 1);
      closeSync(file);
    }
    this.#isBroken = true;
    append(this.#current, line);
    this.#isBroken = false;
  }

  /** What cannot be written now is with what is settled next; lost for good, it is delivered once more. */
  #flushIfPossible(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    try {
      this.#flush();
    } catch {
      // Whoever has an event accepted hears that nothing can be written.
    }
  }

  #flush(): void {
    if (this.#settled.length === 0) return;
    this.#write({ settled: this.#settled });
    this.#settled = [];
    this.#dropSettledSegments();
  }

  #dropSettledSegments(): void {
    for (const [number, count] of this.#unsettled) {
      if (number === this.#current.number || count > 0) return;
      unlinkSync(join(this.#directory, nameOf(number)));
      this.#unsettled.delete(number);
    }
  }
}

function append(segment: OpenSegment, line: JournalLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`, 'utf8');
  const written = writeSync(segment.file, bytes);
  segment.bytes += written;
  if (written !== bytes.length)
    throw new Error('the journal of webhooks cannot be written: the disk is full');
}

function nameOf(number: number): string {
  return `webhooks-${String(number).padStart(8, '0')}.ndjson`;
}

function prepared(directory: string): () => void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return lockDirectory(directory);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const why = messageOf(error);
    throw new ServiceError('settings', `The folder ${directory} cannot be used for the journal: ${why}.`);
  }
}

type NumberedSegment = { readonly number: number; readonly segment: ReturnType<typeof parseSegment> };

function readSegments(directory: string): readonly NumberedSegment[] {
  const numbers = readdirSync(directory)
    .map((name) => Number(segmentName.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => !Number.isNaN(number))
    .sort((a, b) => a - b);
  return numbers.map((number) => {
    const path = join(directory, nameOf(number));
    try {
      return { number, segment: parseSegment(readFileSync(path, 'utf8')) };
    } catch (error) {
      const why = messageOf(error);
      throw new ServiceError(
        'settings',
        `The journal ${path} cannot be read: ${why}. Move it away to start without it.`,
      );
    }
  });
}

function recoveredFrom(segments: readonly NumberedSegment[]): RecoveredJournal {
  const settled = new Set(segments.flatMap(({ segment }) => segment.settled));
  return {
    entries: segments
      .flatMap(({ segment }) => segment.accepted)
      .filter(({ sequence }) => !settled.has(sequence)),
    sequence: Math.max(0, ...segments.map(({ segment }) => segment.sequence)),
    messages: Math.max(0, ...segments.map(({ segment }) => segment.messages)),
  };
}
