import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorBodySchema } from '../contract/error-body.ts';
import {
  answerTo,
  gateWith,
  headerOf,
  minuteMs,
  rateHeadersOf,
  smallLimits,
  windowMs,
} from './testing/gates.ts';

const paths = { standard: '/v1/status', messages: '/v1/messages/msg_reference', media: '/v1/media' } as const;

/** Requests of two keys in three scopes, in steps of 1/8 ms to 25 s. */
const histories = fc.array(
  fc.record({
    scope: fc.constantFrom('standard', 'messages', 'media'),
    key: fc.constantFrom('a', 'b'),
    stepEighths: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 200_000 })),
  }),
  { maxLength: 120 },
);

describe('gate', () => {
  it('admits by the document: each key and scope for itself, up to its limit in any window', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const gate = gateWith();
        const admittedMs = new Map<string, readonly number[]>();
        let nowMs = minuteMs;
        for (const { scope, key, stepEighths } of history) {
          nowMs += stepEighths / 8;
          const group = `${scope} ${key}`;
          const inside = (admittedMs.get(group) ?? []).filter((atMs) => atMs > nowMs - windowMs);
          const { status } = answerTo(gate, {
            path: paths[scope],
            authorization: `Bearer secret-${key}`,
            nowMs,
          });
          expect(status).toBe(inside.length < smallLimits[scope] ? 200 : 429);
          admittedMs.set(group, status === 200 ? [...inside, nowMs] : inside);
        }
      }),
    );
  });

  it('puts three integers on every answer: the limit, what remains, and a second within one window', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const gate = gateWith();
        let nowMs = minuteMs;
        for (const { scope, stepEighths } of history) {
          nowMs += stepEighths / 8;
          const answer = answerTo(gate, { path: paths[scope], nowMs });
          const [limit, remaining, reset] = rateHeadersOf(answer).map(Number);
          expect(limit).toBe(smallLimits[scope]);
          expect(remaining).toBe(answer.status === 429 ? 0 : remaining);
          expect(reset).toBeGreaterThanOrEqual(Math.floor(nowMs / 1_000));
          expect(reset).toBeLessThanOrEqual(Math.ceil((nowMs + windowMs) / 1_000));
        }
      }),
    );
  });

  it('announces a wait that suffices, in whole seconds from 1 to the window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 * windowMs }), (eighths) => {
        const gate = gateWith();
        const nowMs = minuteMs + eighths / 8;
        for (let sent = 0; sent < smallLimits.standard; sent += 1) answerTo(gate, { nowMs: minuteMs });
        const limited = answerTo(gate, { nowMs });
        if (limited.status === 200) return;
        const seconds =
          errorBodySchema.parse(JSON.parse(limited.body)).error.retry_after_seconds ?? Number.NaN;
        expect(Number.isInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(1);
        expect(seconds).toBeLessThanOrEqual(windowMs / 1_000);
        expect(headerOf(limited, 'Retry-After')).toBe(String(seconds));
        expect(answerTo(gate, { nowMs: nowMs + seconds * 1_000 }).status).toBe(200);
      }),
    );
  });

  it('answers a 429 in the documented body', () => {
    const gate = gateWith();
    for (let sent = 0; sent < smallLimits.media; sent += 1) answerTo(gate, { path: '/v1/media' });
    const limited = answerTo(gate, { path: '/v1/media', nowMs: minuteMs + 500 });
    expect(limited.status).toBe(429);
    expect(rateHeadersOf(limited)).toEqual(['2', '0', String(minuteMs / 1_000 + 60)]);
    expect(headerOf(limited, 'Content-Type')).toMatch(/^application\/json/);
    expect(headerOf(limited, 'Date')).toBe(new Date(minuteMs + 500).toUTCString());
    expect(errorBodySchema.parse(JSON.parse(limited.body))).toEqual({
      success: false,
      error: {
        code: 'rate_limit_exceeded',
        message: 'Rate limit exceeded: 2 requests in 60 s (media). Retry in 60 s.',
        retry_after_seconds: 60,
      },
    });
  });

  it('counts unknown paths as standard routes', () => {
    const gate = gateWith();
    for (const path of ['/', '/v2/status', '/v1/messagesextra'])
      expect(answerTo(gate, { path }).status).toBe(200);
    expect(answerTo(gate, { path: '/v1/status' }).status).toBe(429);
  });

  it.each([
    [null, 'missing_api_key'],
    ['', 'malformed_authorization'],
    ['Bearer', 'malformed_authorization'],
    ['Basic c2VjcmV0LWE=', 'malformed_authorization'],
    ['Bearer secret-a secret-b', 'malformed_authorization'],
    ['Bearer secret-c', 'invalid_api_key'],
    ['Bearer SECRET-A', 'invalid_api_key'],
  ])('refuses %j as %s, without headers and at no cost to any key', (authorization, code) => {
    const gate = gateWith();
    for (let sent = 0; sent < 10; sent += 1) answerTo(gate, { authorization });
    const refused = answerTo(gate, { authorization });
    expect(refused.status).toBe(401);
    expect(rateHeadersOf(refused)).toEqual([null, null, null]);
    expect(headerOf(refused, 'WWW-Authenticate')).toMatch(/^Bearer/);
    expect(errorBodySchema.parse(JSON.parse(refused.body)).error.code).toBe(code);
    expect(rateHeadersOf(answerTo(gate))[1]).toBe('2');
  });

  it('reads the scheme in any case', () => {
    expect(answerTo(gateWith(), { authorization: 'bearer  secret-a' }).status).toBe(200);
  });
});
