import { expect, it } from 'vitest';
import { documentSchema } from '../contract/document/document.ts';
import { offlineService } from './offline.ts';

const document = documentSchema.parse({
  version: 1,
  title: 'logins',
  windowSeconds: 60,
  headers: { remaining: 'X-Left', on: 'admitted' },
  scopes: {
    logins: {
      title: 'logins',
      limit: 3,
      paths: ['/login'],
      request: { method: 'POST', path: '/login', answered: [401, 400] },
      others: [{ request: { path: '/login/form', answered: 302 } }],
    },
  },
});

it('answers requests that pass as the document says, with headers of such, and counts them', () => {
  const service = offlineService({ document, limits: { logins: 3 }, windowMs: 60_000, faults: [] });
  const answerTo = (method: string, path: string) => {
    const asked = { key: 'A', credential: 'valid', connection: 0, node: 0, userAgent: 'test' } as const;
    const answer = service({ ...asked, method, path }, 1_000);
    return [answer?.status, answer?.headers.remaining];
  };
  expect(answerTo('POST', '/login')).toEqual([401, '2']);
  expect(answerTo('GET', '/login')).toEqual([200, '1']);
  expect(answerTo('GET', '/login/form')).toEqual([302, '0']);
  expect(answerTo('POST', '/login')).toEqual([429, null]);
});
