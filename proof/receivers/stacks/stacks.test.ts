import { expect, test } from 'vitest';
import { findDriveCase } from '../../../contract/webhooks/drive/registry.ts';
import { stacks } from './stacks.ts';

/** `npm run receivers` starts and drives them; that takes minutes, and packages of four registries. */
test('twelve stacks or more, each with a mistake that decides', () => {
  expect(stacks.length).toBeGreaterThanOrEqual(12);
  expect(new Set(stacks.map(({ name }) => name)).size).toBe(stacks.length);
  for (const { name, fails } of stacks) {
    for (const id of fails) expect(findDriveCase(id)?.level, `${name}: ${id}`).toBe('must');
    expect(fails.length, name).toBeGreaterThan(0);
  }
});
