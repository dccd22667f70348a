import { describe, expect, test } from 'vitest';
import { type Look, seenLimits } from './seen-limits.ts';

/** A whole minute by the clock, s. */
const minute = 1_700_000_040;

/** Three answers: at once, and 2.5 s later, 50 s before a full minute. */
function answers(
  headersAt: (turn: number, atSeconds: number) => Readonly<Record<string, string>>,
): readonly Look[] {
  return [0, 0.01, 2.5].map((after, turn) => {
    const atSeconds = minute + 10 + after;
    return { status: 200, headers: headersAt(turn, atSeconds), receivedMs: atSeconds * 1_000 };
  });
}

type Row = readonly [style: string, looks: readonly Look[], expected: readonly object[]];

const concluded = { seconds: 60, by: 'concluded' };
const said = { seconds: 60, by: 'said' };

/** The three headers with a window of a minute that has begun with the first answer. */
function triple(prefix: string, resetAt: (toGo: number, atSeconds: number) => string): readonly Look[] {
  return answers((turn, at) => ({
    [`${prefix}limit`]: '100',
    [`${prefix}remaining`]: String(99 - turn),
    [`${prefix}reset`]: resetAt(minute + 70 - at, at),
  }));
}

describe('what headers say of limits', () => {
  test.each<Row>([
    [
      'seconds since 1970',
      triple('x-ratelimit-', (toGo, at) => String(Math.ceil(at + toGo))),
      [{ limit: 100, window: concluded, resetUnit: 'epoch-seconds', triple: 'x-ratelimit-', isOnAll: true }],
    ],
    [
      'ms since 1970',
      triple('x-rate-limit-', (toGo, at) => String(Math.round((at + toGo) * 1_000))),
      [{ limit: 100, window: concluded, resetUnit: 'epoch-ms', triple: 'x-rate-limit-' }],
    ],
    [
      'seconds to go',
      triple('ratelimit-', (toGo) => String(Math.ceil(toGo))),
      [{ window: concluded, resetUnit: 'seconds-to-go', triple: 'ratelimit-' }],
    ],
    [
      'ms to go',
      triple('x-ratelimit-', (toGo) => String(Math.round(toGo * 1_000))),
      [{ window: concluded, resetUnit: 'ms-to-go' }],
    ],
    [
      'a duration',
      triple('x-ratelimit-', (toGo) => `${Math.floor(toGo / 60)}m${(toGo % 60).toFixed(3)}s`),
      [{ window: concluded, resetUnit: 'seconds-to-go' }],
    ],
    [
      'a date',
      triple('x-rate-limit-', (toGo, at) => new Date((at + toGo) * 1_000).toUTCString()),
      [{ window: concluded, resetUnit: 'date' }],
    ],
    [
      'a policy beside three headers',
      answers(() => ({
        'ratelimit-limit': '100',
        'ratelimit-remaining': '99',
        'ratelimit-reset': '3',
        'ratelimit-policy': '100;w=60',
      })),
      [{ limit: 100, window: said, resetUnit: 'seconds-to-go' }],
    ],
    [
      'a policy in the limit',
      answers(() => ({ 'ratelimit-limit': '100, 100;w=60' })),
      [{ limit: 100, window: said }],
    ],
    [
      'one header with names',
      answers(() => ({ ratelimit: 'limit=100, remaining=99, reset=60', 'ratelimit-policy': '100;w=60' })),
      [{ limit: 100, window: said, resetUnit: 'seconds-to-go', triple: null }],
    ],
    [
      'structured fields, with two policies',
      answers(() => ({
        ratelimit: '"day";r=900;t=86000, "a,b";r=9;t=60',
        'ratelimit-policy': '"day";q=1000;w=86400, "a,b";q=10;w=60;pk=:cHsdsRa894==:',
      })),
      [
        { limit: 10, window: said },
        { limit: 1_000, window: { seconds: 86_400, by: 'said' } },
      ],
    ],
    [
      'structured fields by older names',
      answers(() => ({ 'x-ratelimit': 'default;r=9;t=60', 'x-ratelimit-policy': 'default;q=10;w=60' })),
      [{ limit: 10, window: said, names: ['X-RateLimit', 'X-RateLimit-Policy'], triple: null }],
    ],
    [
      'a header for each window',
      answers(() => ({ 'x-ratelimit-limit-hour': '1000', 'x-ratelimit-limit-minute': '100' })),
      [
        { limit: 100, window: said, names: ['X-RateLimit-Limit-Minute'] },
        { limit: 1_000, window: { seconds: 3_600, by: 'said' } },
      ],
    ],
    [
      'a limit alone',
      answers(() => ({ 'x-ratelimit-limit': '100' })),
      [{ limit: 100, window: null, resetUnit: null }],
    ],
    [
      'a limit on the first answer alone',
      answers((turn) => (turn === 0 ? { 'x-ratelimit-limit': '100' } : ({} as Record<string, string>))),
      [{ limit: 100, isOnAll: false }],
    ],
    ['what is no number', answers(() => ({ 'x-ratelimit-limit': 'many', 'x-ratelimit-reset': 'soon' })), []],
    ['nothing', answers(() => ({ date: 'Mon, 01 Jan 2024 00:00:00 GMT' })), []],
  ])('as %s', (_style, looks, expected) => {
    const found = seenLimits(looks);
    expect(found).toHaveLength(expected.length);
    expect(found).toMatchObject(expected);
  });

  test('refusals tell nothing of places that come back', () => {
    const full = { 'ratelimit-limit': '9', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' };
    expect(seenLimits(answers(() => full))[0]?.hints.join()).not.toContain('token-bucket');
  });

  test.each<readonly [string, readonly Look[], string]>([
    ['which stays', triple('x-ratelimit-', (toGo, at) => String(Math.ceil(at + toGo))), 'stays where it is'],
    ['which stays at a full minute', triple('x-ratelimit-', () => String(minute + 60)), 'aligned: clock'],
    ['which moves', triple('x-ratelimit-', () => '60'), 'moves with each request'],
    [
      'while places come back',
      answers((turn) => ({
        'ratelimit-limit': '100',
        'ratelimit-remaining': turn === 2 ? '99' : String(99 - turn),
        'ratelimit-reset': '60',
      })),
      'promise: token-bucket',
    ],
  ])('the end of a window %s tells something of its kind', (_how, looks, hint) => {
    expect(seenLimits(looks)[0]?.hints.join()).toContain(hint);
  });
});
