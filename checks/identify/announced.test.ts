import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { outcomeOf } from '../../contract/outcome.ts';
import { announcedWindowMs } from './announced.ts';

const epochMs = 1_760_000_000_000;

type Said = Partial<Pick<Exchange, 'retryAfter' | 'date' | 'body'>> & { readonly reset?: string };

/** An answer at a moment after the first request, s. */
function answered(atSeconds: number, status: 200 | 429, { reset, ...said }: Said = {}): Exchange {
  const ms = epochMs + 1_000 * atSeconds;
  return {
    kind: 'exchange',
    index: 0,
    driver: 'simulation',
    clock: 'simulation',
    scope: 'standard',
    route: 'main',
    key: null,
    credential: 'absent',
    node: 0,
    purpose: 'saturate',
    requestId: 'r',
    method: 'GET',
    path: '/',
    sentMs: ms,
    receivedMs: ms,
    wallSentMs: ms,
    wallReceivedMs: ms,
    status,
    headers: { limit: null, remaining: null, reset: reset ?? null },
    retryAfter: null,
    date: null,
    contentType: null,
    body: null,
    failure: null,
    outcome: outcomeOf(status),
    ...said,
  };
}

const filled = [answered(0, 200), answered(3, 200)];

describe('the announced window', () => {
  it.each<[string, Said]>([
    ['Retry-After in seconds', { retryAfter: '897' }],
    [
      'Retry-After as a date',
      { retryAfter: 'Thu, 09 Oct 2025 09:08:20 GMT', date: 'Thu, 09 Oct 2025 08:53:23 GMT' },
    ],
    ['the body', { body: '{"error":{"retry_after_seconds":897}}' }],
    ['a reset in Unix seconds', { reset: '1760000900' }],
    ['a reset in Unix milliseconds', { reset: '1760000900000' }],
    ['a reset as a date, as Go writes it', { reset: 'Thu, 09 Oct 2025 09:08:20 UTC' }],
    ['a reset in seconds to go', { reset: '897' }],
    ['Retry-After rather than a reset of the day', { retryAfter: '897', reset: '1760086400' }],
  ])('is read from %s', (_where, said) => {
    expect(announcedWindowMs([...filled, answered(3, 429, said)])).toBe(900_000);
  });

  it.each([
    ['a window that began with the first request', '897', 900],
    ['a block that begins with the refusal', '900', 900],
    ['a length that is not usual', '750', 753],
  ])('is that of %s', (_what, retryAfter, seconds) => {
    expect(announcedWindowMs([...filled, answered(3, 429, { retryAfter })])).toBe(seconds * 1_000);
  });

  it('is not made longer by requests that prolong a block', () => {
    const later = [3, 400, 800].map((at) => answered(at, 429, { retryAfter: '900' }));
    expect(announcedWindowMs([...filled, ...later])).toBe(900_000);
  });

  it('is what the second window says, where the run began late in the first one', () => {
    const first = answered(3, 429, { retryAfter: '117' });
    const second = [answered(121, 200), answered(122, 429, { retryAfter: '899' })];
    expect(announcedWindowMs([...filled, first])).toBe(120_000);
    expect(announcedWindowMs([...filled, first, ...second])).toBe(900_000);
  });

  it.each<[string, readonly Exchange[]]>([
    ['no refusal says anything', [...filled, answered(3, 429)]],
    ['nothing is refused', filled],
    ['nothing was admitted before', [answered(0, 429, { retryAfter: '900' })]],
    [
      'a date is compared with no other',
      [...filled, answered(3, 429, { retryAfter: 'Thu, 09 Oct 2025 09:08:20 GMT' })],
    ],
  ])('is none where %s', (_what, run) => {
    expect(announcedWindowMs(run)).toBeNull();
  });
});
