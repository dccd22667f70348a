import { expect, test } from 'vitest';
import { deploymentSchema } from './deployment.ts';

const least = { baseUrls: ['https://api.example.test/base'], keyEnv: ['API_KEY'] };

test('base URLs and key names are enough', () => {
  expect(deploymentSchema.parse(least)).toMatchObject({
    windowSeconds: 60,
    exclusiveKeys: true,
    requests: {},
  });
});

test.each([
  [{ ...least, keyEnv: ['sk_live_4f.9'] }, 'must be the name of an environment variable, not a key itself'],
  [{ ...least, baseUrls: ['ftp://a.example.test'] }, 'must be an http:// or https:// URL'],
  [{ ...least, baseUrls: ['https://user:secret@a.example.test'] }, 'must have no user name'],
  [{ ...least, requests: { media: { path: 'v1/media' } } }, 'must start with "/"'],
  [
    { ...least, requests: { media: { path: '/', headers: { AUTHORIZATION: 'x' } } } },
    'must not hold Authorization',
  ],
  [{ ...least, windowSecond: 5 }, 'windowSecond'],
])('unusable settings are named: %j', (settings, message) => {
  const parsed = deploymentSchema.safeParse(settings);
  expect(JSON.stringify(parsed.error?.issues)).toContain(message.replaceAll('"', '\\"'));
});
