import { expect, test } from 'vitest';
import { driveCases } from '../../../contract/webhooks/drive/registry.ts';
import { chosenCases } from './cases.ts';

const idsOf = (...names: readonly string[]): readonly string[] => chosenCases(names).map(({ id }) => id);

test('nothing chosen is everything', () => {
  expect(chosenCases([])).toBe(driveCases);
});

test('a case brings those that it rests on, in the order of sending', () => {
  expect(idsOf('burst.answers', 'effect.once-in-turn')).toEqual([
    'valid.received',
    'valid.sent',
    'valid.delivered',
    'valid.read',
    'repeated.in-turn',
    'effect.once-in-turn',
    'burst.answers',
  ]);
});

test('a first part is all of its cases', () => {
  expect(idsOf('valid')).toEqual(driveCases.slice(0, 5).map(({ id }) => id));
});

test('a name without a case is an error that names a similar one', () => {
  expect(() => chosenCases(['forged.sha'])).toThrow('did you mean forged.sha1?');
  expect(() => chosenCases(['forge'])).toThrow('There is no case "forge"');
});
