import { expect, it } from 'vitest';
import { onceInTurn } from './once.ts';

it('what is asked again in a row is worked out once, and anew after another', () => {
  const [one, other] = [{ name: 'one' }, { name: 'other' }];
  const worked: string[] = [];
  const shown = onceInTurn(({ name }: { readonly name: string }) => {
    worked.push(name);
    return { name };
  });
  const first = shown(one);
  expect(shown(one)).toBe(first);
  expect([shown(other), shown(one)]).toEqual([other, one]);
  expect(worked).toEqual(['one', 'other', 'one']);
});
