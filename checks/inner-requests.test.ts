import { expect, it } from 'vitest';
import { withInner } from './inner-requests.ts';
import { requests, type Step, send, type Target } from './steps.ts';

const target = { scope: 'all', key: 'A', inner: ['login', 'search'] } as const;

function scopesOf(step: Step, sent: readonly never[] = [], more: object = {}): readonly string[] {
  const found = withInner(step, { ...target, ...more } as unknown as Target, () => sent);
  return found.kind === 'send' ? found.requests.map(({ scope }) => scope) : [];
}

it('the first requests that fill a limit go to the scopes within it', () => {
  const fill = send('fill@first+inner', requests(target, 5));
  expect(scopesOf(fill)).toEqual(['login', 'search', 'all', 'all', 'all']);
  expect(scopesOf(fill, [undefined as never])).toEqual(['all', 'all', 'all', 'all', 'all']);
});

it('half of few requests still are its own, and so is what looks whether it is full', () => {
  expect(scopesOf(send('burst-2@first+inner', requests(target, 3)))).toEqual(['login', 'all', 'all']);
  expect(scopesOf(send('burst-2@first+inner', requests(target, 1)))).toEqual(['all']);
  expect(scopesOf(send('confirm@first+inner', requests(target, 4)))).toEqual(['all', 'all', 'all', 'all']);
});

it('requests of another key, or to another path, stay as they are', () => {
  const others = requests({ scope: 'all', key: 'B' }, 2);
  expect(scopesOf(send('fill@first+inner', others))).toEqual(['all', 'all']);
  expect(scopesOf(send('fill@first+inner', requests(target, 4)), [], { inner: undefined })).toEqual([
    ...['all', 'all', 'all', 'all'],
  ]);
});
