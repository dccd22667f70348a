import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { documentSchema } from './document.ts';
import { bodyFlaw, saysLimit } from './says-limit.ts';

/** An answer with such a body. */
const answered = (body: unknown): Exchange => ({
  ...{ kind: 'exchange', index: 0, driver: 'undici', clock: 'main', node: 0, requestId: 'r0' },
  ...{ scope: 'items', route: 'main', purpose: 'fill', key: 'A', credential: 'valid' },
  ...{ method: 'GET', path: '/items', sentMs: 0, receivedMs: 5, wallSentMs: null, wallReceivedMs: null },
  ...{ status: 503, headers: { limit: null, remaining: null, reset: null }, retryAfter: null, date: null },
  ...{ contentType: 'application/json', body: JSON.stringify(body), failure: null, outcome: 'refused' },
});

const documentOf = (refusal: object) =>
  documentSchema.parse({
    ...{ version: 1, title: 'items', windowSeconds: 60, headers: 'none', errors: 'none', refusal },
    scopes: { items: { title: 'items', limit: 30 } },
  });

describe('an answer whose body is that of a refusal', () => {
  it('has the code of the messaging document where no body is promised', () => {
    for (const document of [{}, documentOf({ status: 429 })]) {
      expect(saysLimit(answered({ error: { code: 'rate_limit_exceeded' } }), document)).toBe(true);
      expect(saysLimit(answered({ error: { code: 'internal' } }), document)).toBe(false);
      expect(saysLimit(answered({ code: 'rate_limit_exceeded' }), document)).toBe(false);
    }
  });

  it('has every promised value, and one of them is a text', () => {
    const document = documentOf({ body: { '/code': 'slow_down', '/ok': false } });
    expect(saysLimit(answered({ code: 'slow_down', ok: false, more: 1 }), document)).toBe(true);
    for (const body of [{ code: 'slow_down', ok: true }, { code: 'slow_down' }, { code: 'other', ok: false }])
      expect(saysLimit(answered(body), document)).toBe(false);
    expect(saysLimit(answered({ error: { code: 'rate_limit_exceeded' } }), document)).toBe(false);
    // That something is wrong any error may say.
    expect(saysLimit(answered({ ok: false }), documentOf({ body: { '/ok': false } }))).toBe(false);
  });
});

describe('what keeps a body from being the promised one', () => {
  const promised = { '/code': 'slow_down', '/ok': false };
  const flaw = (value: unknown) => bodyFlaw({ kind: 'json', value }, promised);

  it('is the first value that is absent or another', () => {
    expect(flaw({ code: 'slow_down', ok: false })).toBeNull();
    expect(flaw({ ok: true })).toEqual({ reason: 'absent', seen: '/code absent' });
    expect(flaw({ code: 'slow_down', ok: true })).toEqual({ reason: 'wrong-value', seen: '/ok true' });
  });

  it('is that it is no JSON', () => {
    const why = 'the body is empty';
    expect(bodyFlaw({ kind: 'not-json', why }, promised)).toEqual({ reason: 'not-json', seen: why });
  });
});
