import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { type Journal, openJournal } from './journal.ts';
import type { OutboxEntry } from './outbox.ts';

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'journal-test-'));
  folders.push(made);
  return made;
};
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});

const entry = (sequence: number): OutboxEntry => ({
  sequence,
  eventId: `evt_${sequence}`,
  kind: 'message.sent',
  body: `{"n":${sequence},"text":"ü\\n"}`,
  dueMs: sequence,
});

const segments = (directory: string): readonly string[] =>
  readdirSync(directory).filter((name) => name.endsWith('.ndjson'));

const sequences = ({ recovered }: Journal): readonly number[] =>
  recovered.entries.map(({ sequence }) => sequence);

/** Leaves a journal as `kill -9` does: nothing is closed, and the lock names a process that is gone. */
function killed(directory: string): void {
  writeFileSync(join(directory, 'lock'), '0\n');
}

test('what was accepted and not settled is found again, with its exact text and the numbering', () => {
  const directory = folder();
  const first = openJournal(directory);
  first.accept([entry(1), entry(2), entry(3)], 1);
  first.settle(2);
  first.close();
  const second = openJournal(directory);
  expect(second.recovered).toEqual({ entries: [entry(1), entry(3)], sequence: 3, messages: 1 });
  second.close();
});

test('a killed service loses nothing accepted, and a line cut off in the middle does no harm', () => {
  const directory = folder();
  const first = openJournal(directory);
  first.accept([entry(1)], 1);
  first.accept([entry(2)], 2);
  killed(directory);
  appendFileSync(join(directory, segments(directory)[0] ?? ''), '{"accepted":[{"sequence":3,"ev');
  const second = openJournal(directory);
  expect(sequences(second)).toEqual([1, 2]);
  second.accept([entry(3)], 3);
  second.settle(1);
  second.close();
  const third = openJournal(directory);
  expect(sequences(third)).toEqual([2, 3]);
  third.close();
});

test('segments go when all in them is settled, the oldest first, and numbering survives them', () => {
  const directory = folder();
  const journal = openJournal(directory, 300);
  for (let sequence = 1; sequence <= 40; sequence += 1) journal.accept([entry(sequence)], sequence);
  expect(segments(directory).length).toBeGreaterThan(10);
  for (let sequence = 2; sequence <= 40; sequence += 1) journal.settle(sequence);
  journal.close();
  const held = openJournal(directory, 300);
  expect(sequences(held)).toEqual([1]);
  held.settle(1);
  held.close();
  const last = openJournal(directory, 300);
  expect(last.recovered).toEqual({ entries: [], sequence: 40, messages: 40 });
  expect(segments(directory)).toHaveLength(1);
  last.close();
});

test('a directory serves one process at a time', () => {
  const directory = folder();
  // The parent of this process is alive.
  const lock = JSON.stringify({ pid: process.ppid, began: null, at: '2026-01-01T00:00:00.000Z' });
  writeFileSync(join(directory, 'lock'), lock);
  expect(() => openJournal(directory)).toThrow(`is in use by process ${process.ppid}`);
  expect(readFileSync(join(directory, 'lock'), 'utf8')).toBe(lock);
});

test('a journal that cannot be read is said, with its line, and the directory is given back', () => {
  const directory = folder();
  writeFileSync(join(directory, 'webhooks-00000001.ndjson'), 'nonsense\n');
  expect(() => openJournal(directory)).toThrow('line 1 is not a line of a journal. Move it away');
  expect(readdirSync(directory)).toEqual(['webhooks-00000001.ndjson']);
});

test('a segment that cannot be begun costs nothing but what was to be written, and no file of somebody else', async () => {
  const directory = folder();
  const journal = openJournal(directory, 1);
  journal.accept([entry(1)], 1);
  const taken = join(directory, 'webhooks-00000003.ndjson');
  writeFileSync(taken, 'not ours');
  expect(() => journal.accept([entry(2)], 2)).toThrow('EEXIST');
  const other = openSync(join(directory, 'other'), 'wx');
  expect(() => journal.accept([entry(2)], 2)).toThrow('EEXIST');
  journal.settle(1);
  // What is settled is written by a timer, of which nobody could catch what it throws.
  await new Promise((resolve) => setTimeout(resolve, 100));
  writeSync(other, 'theirs');
  rmSync(taken);
  journal.accept([entry(3)], 3);
  journal.close();
  closeSync(other);
  expect(readFileSync(join(directory, 'other'), 'utf8')).toBe('theirs');
  const again = openJournal(directory);
  expect(sequences(again)).toEqual([3]);
  again.close();
});
