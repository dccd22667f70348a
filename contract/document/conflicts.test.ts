import { expect, it } from 'vitest';
import { documentSchema } from './document.ts';

it('are requests that are answered in the same way whether they pass or are refused', () => {
  const request = { path: '/login', answered: [401, 403] };
  const others = [{ request: { path: '/' } }, { request }, { request: { path: '/form', answered: 302 } }];
  const logins = { title: 'logins', limit: 5, request, others };
  const refusal = { status: [429, 403] };
  const document = { version: 1, title: 'refusing by 403', windowSeconds: 60, refusal, scopes: { logins } };
  const message = '403 is how a request over the limit is answered: no answer would tell whether one passed';
  const { error } = documentSchema.safeParse(document);
  expect(error?.issues.map((issue) => [issue.path, issue.message])).toEqual([
    [['scopes', 'logins', 'request', 'answered'], message],
    [['scopes', 'logins', 'others', 1, 'request', 'answered'], message],
  ]);
  expect(documentSchema.safeParse({ ...document, refusal: { status: 429 } }).success).toBe(true);
});
