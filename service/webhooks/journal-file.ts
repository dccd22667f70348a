import { z } from 'zod';
import { eventKinds } from '../../contract/webhooks/event.ts';
import type { OutboxEntry } from './outbox.ts';

const entrySchema = z.object({
  sequence: z.int().min(1),
  eventId: z.string(),
  kind: z.enum(eventKinds),
  body: z.string(),
  dueMs: z.number(),
});

/** First line of a segment: where numbering stood, so that nothing is numbered twice when older segments are gone. */
const headSchema = z.object({
  journal: z.literal(1),
  sequence: z.int().min(0),
  messages: z.int().min(0),
});

const acceptedSchema = z.object({ accepted: z.array(entrySchema), messages: z.int().min(0) });

const settledSchema = z.object({ settled: z.array(z.int().min(1)) });

const lineSchema = z.union([headSchema, acceptedSchema, settledSchema]);

export type JournalLine = z.infer<typeof lineSchema>;

/** The contents of one segment of a journal. */
export type Segment = {
  readonly accepted: readonly OutboxEntry[];
  readonly settled: readonly number[];
  /** Highest sequence and message number seen. */
  readonly sequence: number;
  readonly messages: number;
};

/**
 * A segment from its text. A last line without its line break was cut off in the middle of writing: nothing that was
 * acknowledged is in it, and it is dropped.
 * @throws {RangeError} naming the line that cannot be read.
 */
export function parseSegment(text: string): Segment {
  const rows = text.split('\n');
  rows.pop();
  const accepted: OutboxEntry[] = [];
  const settled: number[] = [];
  let sequence = 0;
  let messages = 0;
  for (const [at, row] of rows.entries()) {
    const line = parsedLine(row, at + 1);
    // One by one: as arguments of one call, what a long outage of the disk left for one line would be too many.
    if ('settled' in line) for (const one of line.settled) settled.push(one);
    else messages = Math.max(messages, line.messages);
    if ('journal' in line) sequence = Math.max(sequence, line.sequence);
    if ('accepted' in line) for (const one of line.accepted) accepted.push(one);
  }
  for (const entry of accepted) sequence = Math.max(sequence, entry.sequence);
  return { accepted, settled, sequence, messages };
}

function parsedLine(row: string, line: number): JournalLine {
  try {
    return lineSchema.parse(JSON.parse(row));
  } catch {
    throw new RangeError(`line ${line} is not a line of a journal`);
  }
}
