import type { WriteStream } from 'node:tty';
import { expect, test } from 'vitest';
import { statusLine } from './status-line.ts';

function shownBy(kind: 'live' | 'lines', columns = 20) {
  const said: string[] = [];
  const stream = { columns, write: (text: string) => said.push(text) } as unknown as WriteStream;
  return { said, line: statusLine(stream, kind) };
}

test('a terminal has one line, which goes away', () => {
  const { said, line } = shownBy('live');
  line.show('one');
  line.show('two is wider than this terminal');
  line.clear();
  line.clear();
  expect(said).toEqual(['one', '\r   \r', 'two is wider than t', `\r${' '.repeat(19)}\r`]);
});

test('a log has a line for each text', () => {
  const { said, line } = shownBy('lines');
  line.show('one');
  line.show('two');
  line.clear();
  expect(said).toEqual(['one\n', 'two\n']);
});
