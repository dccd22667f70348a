import { expect, it } from 'vitest';
import { onceInTurn } from './once.ts';

it('what is asked again in turn with another is worked out once, and anew after two others', () => {
  const [one, other, third] = [{ name: 'one' }, { name: 'other' }, { name: 'third' }];
  const worked: string[] = [];
  const shown = onceInTurn(({ name }: { readonly name: string }) => {
    worked.push(name);
    return { name };
  });
  const first = shown(one);
  expect(shown(one)).toBe(first);
  const second = shown(other);
  expect([shown(one), shown(other), shown(one)]).toEqual([first, second, first]);
  expect(shown(one)).toBe(first);
  expect(worked).toEqual(['one', 'other']);
  shown(third);
  expect([shown(one), worked.length]).toEqual([first, 3]);
  expect([shown(other), worked]).toEqual([other, ['one', 'other', 'third', 'other']]);
});
