import { expect, test } from 'vitest';
import { deploymentSchema } from '../contract/deployment.ts';
import { documentSchema } from '../contract/document/document.ts';
import { otherErrorRequest } from './probe-template.ts';

const document = documentSchema.parse({
  version: 1,
  title: 'x',
  windowSeconds: 60,
  scopes: {
    writes: { title: 'writes', limit: 1, methods: ['POST'] },
    search: { title: 'search', limit: 1, paths: ['/search'] },
    reads: { title: 'reads', limit: 1, methods: ['GET'] },
  },
});

/** The scope of the request for another error; `null` where none is sent. */
function scopeOfError(otherError: object | undefined): string | null {
  const deployment = deploymentSchema.parse({
    document,
    baseUrls: ['http://127.0.0.1:1'],
    requests: otherError === undefined ? {} : { otherError },
    keyEnv: ['A'],
  });
  const request = otherErrorRequest(deployment, 'A');
  if (request !== null) expect(request).toMatchObject({ route: 'other', key: 'A', credential: 'valid' });
  return request?.scope ?? null;
}

test('a request for another error takes a place where the document counts it', () => {
  expect(scopeOfError({ path: '/search/nothing?q=1' })).toBe('search');
  expect(scopeOfError({ path: '/nothing' })).toBe('reads');
  expect(scopeOfError({ path: '/nothing', method: 'POST' })).toBe('writes');
  expect(scopeOfError(undefined)).toBeNull();
});
