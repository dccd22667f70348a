import { afterAll, expect, test, vi } from 'vitest';
import { defineDocument } from '../../contract/document/document.ts';
import { appWith, appWithKeys, rollingLog } from './testing/small-limiters.ts';
import { describeLimits } from './vitest.ts';

const promised = defineDocument({
  version: 1,
  title: 'an app with one limit',
  windowSeconds: 1,
  headers: 'none',
  errors: 'none',
  keys: 'none',
  scopes: {
    items: { title: 'any route', limit: 10, request: { method: 'GET', path: '/items' } },
  },
});

// Keys are named by their variables.
vi.stubEnv('OWN_SUITE_A', 'a-key-of-the-app');
vi.stubEnv('OWN_SUITE_B', 'another-key');
afterAll(() => void vi.unstubAllEnvs());

const apps = new AsyncDisposableStack();
afterAll(() => apps.disposeAsync());

describeLimits(promised, async () => {
  const app = apps.use(await appWithKeys(() => rollingLog({ limit: 10, windowMs: 1_000 })));
  return { baseUrls: [new URL(app.url).origin], keyEnv: ['OWN_SUITE_A', 'OWN_SUITE_B'] };
});

describeLimits(
  { ...promised, title: 'an app without keys', keys: 'none', countedBy: 'address' },
  async () => {
    const app = apps.use(await appWith(rollingLog({ limit: 10, windowMs: 1_000 })));
    return { baseUrls: [new URL(app.url).origin] };
  },
);

test('a document that cannot be used is named, and nothing of the command line with it', () => {
  const told = (wrong: object) => {
    expect(() => describeLimits({ ...promised, ...wrong }, { baseUrls: ['http://127.0.0.1:9'] })).toThrow(
      /^The document cannot be used:\n {2}(?:windowSeconds: [^(]*|the document: there is no field "windowSecond"; did you mean windowSeconds\?)$/,
    );
  };
  told({ windowSeconds: -1 });
  told({ windowSecond: 1 });
});
