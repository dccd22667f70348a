import { expect, it } from 'vitest';
import { documentSchema, limitsOf } from '../contract/document/document.ts';
import { findFault } from './faults.ts';
import { offlineService } from './offline.ts';
import { startService } from './server.ts';

const document = documentSchema.parse({
  ...{ version: 1, title: 'app', windowSeconds: 60 },
  scopes: {
    login: { title: 'login', limit: 2, paths: ['/login'], within: 'all' },
    all: { title: 'all', limit: 4, request: { path: '/me' } },
  },
});

/** What requests to these paths are answered, one after another, each a second after the one before. */
function statusesOf(
  paths: readonly string[],
  fault?: string,
  header: 'limit' | 'remaining' = 'limit',
): readonly string[] {
  const found = fault === undefined ? undefined : findFault(fault);
  const faults = found === undefined ? [] : [found];
  const service = offlineService({ document, limits: limitsOf(document), windowMs: 60_000, faults });
  return paths.map((path, at) => {
    const ask = { method: 'GET', path, key: 'A', credential: 'valid', connection: 0, node: 0 } as const;
    const answer = service(ask, 1_760_000_000_000 + 1_000 * at);
    return `${answer?.status} ${answer?.headers[header]}`;
  });
}

it('what lies within another scope takes places of both limits, and is refused by either', () => {
  // The third login is refused by its own limit, after it took a place of the outer one.
  expect(statusesOf(['/login', '/login', '/login', '/me', '/me', '/login'])).toEqual([
    ...['200 2', '200 2', '429 2', '200 4', '429 4', '429 2'],
  ]);
});

it.each([
  ['outer-limit-apart', ['200 2', '200 2', '429 2', '200 4', '200 4', '429 2']],
  ['outer-limit-alone', ['200 2', '200 2', '200 2', '200 4', '429 4', '429 2']],
])('%s asks one of them alone', (fault, expected) => {
  expect(statusesOf(['/login', '/login', '/login', '/me', '/me', '/login'], fault)).toEqual(expected);
});

it('what is left of the outer limit is less by the requests within, but with a fault of its own', () => {
  const paths = ['/login', '/me', '/login', '/me', '/me'];
  expect(statusesOf(paths, undefined, 'remaining')).toEqual(['200 1', '200 2', '200 0', '200 0', '429 0']);
  const fault = 'outer-remaining-alone';
  expect(statusesOf(paths, fault, 'remaining')).toEqual(['200 1', '200 3', '200 0', '200 2', '429 0']);
});

it('Redis keeps no such document', async () => {
  const settings = { document, limits: limitsOf(document), windowMs: 60_000, faults: [], graceMs: 0 };
  const store = { kind: 'redis', url: 'redis://127.0.0.1:1' } as const;
  await expect(startService({ ...settings, store, keys: new Map([['A', 'a']]) })).rejects.toThrow(
    'other limits than one rolling window for login, all',
  );
});
