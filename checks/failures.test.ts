import { expect, test } from 'vitest';
import { unreachableCodes } from '../contract/unreachable.ts';
import { failureText, isUnreachable } from './failures.ts';

const coded = (code: string): Error => Object.assign(new Error('words of a library'), { code });

test.each(unreachableCodes)('%s: no connection, and in words of ours', (code) => {
  const text = failureText(coded(code));
  expect(text).toContain(`(${code})`);
  expect(text).not.toContain('library');
  expect(isUnreachable(text)).toBe(true);
});

test('an address with several errors has the first, and what caused an error counts', () => {
  const refused = coded('ECONNREFUSED');
  expect(failureText(new AggregateError([refused, coded('ENETUNREACH')], 'all failed'))).toMatch(
    /^connection refused/,
  );
  expect(failureText(new Error('fetch failed', { cause: refused }))).toMatch(/^connection refused/);
  expect(failureText('nothing')).toBe('no answer');
});

test('receivers of webhooks are named no flag that their commands do not have', () => {
  for (const code of unreachableCodes)
    expect(failureText(coded(code), 'receiver')).not.toMatch(/--(url|http)\b/);
});
