import { describe, expect, it, test } from 'vitest';
import { commandFilter } from './ci-commands.ts';
import { plainText } from './plain-text.ts';
import { wrap } from './terminal/layout.ts';

/** What GitHub, Azure and TeamCity would obey in a log. */
const obeyed = /^\s*::[a-z]|##[a-z]*\[/im;

test.each([
  '::error::x',
  '  ::error file=a.ts,line=1::x',
  'a::ERROR::x',
  '::stop-commands::x',
  '##[error]x',
  'x ###[group]',
  '##vso[task.complete result=Succeeded]',
  '##TeamCity[testFailed]',
])('%j is no command any more, also where a line begins in it', (raw) => {
  const text = plainText(raw, 100);
  for (let at = 0; at < text.length; at += 1) expect(text.slice(at)).not.toMatch(obeyed);
  for (const line of wrap(`observed ${text}`, 10)) expect(line).not.toMatch(obeyed);
});

test.each(['http://[::1]:8080/', 'fe80::a1 answered', 'Foo::Bar(1)', '## heading [link]', '#[test]'])(
  '%j stays as it is',
  (text) => {
    expect(plainText(text, 100)).toBe(text);
  },
);

describe('what is written', () => {
  const written = (...pieces: readonly string[]): string => pieces.map(commandFilter()).join('');

  it('has no command at the beginning of a line, whatever a write ends with', () => {
    expect(written('a\n', '::error::x\n', '  ', '::error::y\n')).toBe(
      'a\n\\u003a:error::x\n  \\u003a:error::y\n',
    );
    expect(written('at ', '::1\n')).toBe('at ::1\n');
  });

  it('is the same JSON', () => {
    const value = { a: '::error::x', b: ['##[error]x', 'y ##vso[z]'] };
    for (const indent of [0, 2]) {
      const text = written(`${JSON.stringify(value, null, indent)}\n`);
      expect(text).not.toMatch(obeyed);
      expect(JSON.parse(text)).toEqual(value);
    }
  });
});
