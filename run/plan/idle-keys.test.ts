import { expect, it } from 'vitest';
import { settledAfterMs } from '../../contract/bounds.ts';
import { documentSchema } from '../../contract/document/document.ts';
import { idleKeys } from './idle-keys.ts';

const also = [
  { limit: 100, windowSeconds: 120 },
  { limit: 1_000, windowSeconds: 86_400 },
];
const scopes = {
  items: { title: 'items', limit: 10, also, paths: ['/items'] },
  rest: { title: 'rest', limit: 10 },
};
const document = documentSchema.parse({ version: 1, title: 'an API', windowSeconds: 60, scopes });

it('waits for the longest window of each scope that a run waits for, as long as the deployment has it', () => {
  const idle = idleKeys({ document, windowSeconds: 6 });
  idle.used('A', ['items', 'rest'], 0);
  expect(idle.fromMs(['A'], ['items'])).toBe(settledAfterMs(12_000));
  expect(idle.fromMs(['A'], ['rest'])).toBe(settledAfterMs(6_000));
});

it('keeps keys apart, unless the document counts them together', () => {
  const apart = idleKeys({ document, windowSeconds: 60 });
  const shared = idleKeys({ document: { ...document, countedBy: 'address' }, windowSeconds: 60 });
  for (const idle of [apart, shared]) idle.used('A', ['rest'], 0);
  expect(apart.fromMs(['B'], ['rest'])).toBe(0);
  expect(shared.fromMs(['B'], ['rest'])).toBe(settledAfterMs(60_000));
  expect(shared.fromMs(['B'], ['items'])).toBe(0);
  const byScope = {
    ...document,
    scopes: { ...scopes, rest: { ...scopes.rest, countedBy: 'address' as const } },
  };
  const mixed = idleKeys({ document: byScope, windowSeconds: 60 });
  mixed.used('A', ['items', 'rest'], 0);
  expect(mixed.fromMs(['B'], ['items'])).toBe(0);
  expect(mixed.fromMs(['B'], ['rest'])).toBe(settledAfterMs(60_000));
});
