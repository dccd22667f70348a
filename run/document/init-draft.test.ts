import { expect, it } from 'vitest';
import { draftFromEndpoint } from './init-draft.ts';
import { type Look, seenLimits } from './seen-limits.ts';

/** What a draft says of the limit of an endpoint that answers so. */
function limitOf(headers: Readonly<Record<string, string>>) {
  const looks: readonly Look[] = [0, 10, 2_500].map((afterMs) => ({
    status: 200,
    headers,
    receivedMs: 1_700_000_000_000 + afterMs,
  }));
  const { scopes } = draftFromEndpoint({
    lookedAt: { looks, withoutKey: null, failure: null },
    limits: seenLimits(looks),
    request: { method: 'GET', path: '/items', headers: {} },
    where: 'http://127.0.0.1:1',
    said: { title: null, limit: null, windowSeconds: null, promise: null },
    sent: { kind: 'nothing' },
  });
  return scopes[0]?.fields.find(({ name }) => name === 'limit');
}

it('asks which figure is right where more is left than the limit', () => {
  // tollbooth sends how much comes back in a second as the limit, beside what its bucket holds.
  const asked = limitOf({ 'ratelimit-limit': '2', 'ratelimit-remaining': '119', 'ratelimit-reset': '1' });
  expect(asked).toMatchObject({
    value: 2,
    todo: 'answers say that 119 were left, which is more than this limit: which of the two is right?',
  });
  const usual = limitOf({ 'ratelimit-limit': '2', 'ratelimit-remaining': '2', 'ratelimit-reset': '1' });
  expect(usual).toMatchObject({ value: 2 });
  expect(usual?.todo).toBeUndefined();
});
