import { expect, test } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { namespaceOf } from './namespace.ts';

const settings = (windowSeconds?: number) => ({
  keys: new Map([['A', 'a-secret']]),
  limits: { items: 20 },
  windowMs: 60_000,
  document: documentSchema.parse({
    version: 1,
    title: 't',
    windowSeconds: 60,
    scopes: {
      items: { title: 'items', limit: 20, ...(windowSeconds === undefined ? {} : { windowSeconds }) },
    },
  }),
});

test('services count together whose keys, limits and windows are the same, and no others', () => {
  const name = namespaceOf(settings());
  expect(namespaceOf(settings())).toBe(name);
  expect(namespaceOf(settings(60))).toBe(name);
  for (const other of [
    settings(10),
    { ...settings(), keys: new Map([['A', 'another']]) },
    { ...settings(), limits: { items: 21 } },
    { ...settings(), windowMs: 59_000 },
  ])
    expect(namespaceOf(other)).not.toBe(name);
});
