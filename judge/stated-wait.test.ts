import { describe, expect, it } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, type Given, limited, originMs, traceOfDocument } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

/** The verdict on a clause where the document has a refused client wait for so long. */
function verdict(clause: ClauseId, waitSeconds: number, exchange: Exchange) {
  const document = { refusal: { waitSeconds } };
  return verdictOn(clause, traceOfDocument([exchange], document));
}

const refused = (given: Given): Exchange => limited(0, 5, { limit: '4', ...given });

const asking = (retry_after_seconds: number): Exchange =>
  refused({
    body: JSON.stringify({
      success: false,
      error: { code: 'rate_limit_exceeded', message: 'x', retry_after_seconds },
    }),
  });

const resetIn = (seconds: number): Exchange => refused({ reset: String(originMs / 1_000 + seconds) });

describe('a service that blocks for as long as its document says may announce that', () => {
  it.each<readonly [ClauseId, number, number, string, (seconds: number) => Exchange]>([
    ['error.retry-after', 300, 302, 'too-long', asking],
    ['error.retry-after', 100, 120, 'too-long', asking],
    ['error.retry-after-length', 90, 92, 'longer-than-needed', asking],
    ['error.retry-after-length', 30, 62, 'longer-than-needed', asking],
    // The clock of the service may be 5 s ahead, and two seconds are for rounding.
    ['headers.reset', 300, 307, 'beyond-window', resetIn],
    ['headers.reset', 30, 67, 'beyond-window', resetIn],
  ])('%s, %i s: up to %i s, and %s beyond', (...row) => {
    const [clause, waitSeconds, most, reason, of] = row;
    expect(verdict(clause, waitSeconds, of(most))?.kind).toBe('held');
    expect(verdict(clause, waitSeconds, of(most + 1))).toMatchObject({ kind: 'violated', reason });
  });

  it('and the verdict says until when a reset may be', () => {
    const summary = (waitSeconds: number) => verdict('headers.reset', waitSeconds, resetIn(50));
    expect(summary(300)).toEqual({ kind: 'held', summary: '1 value between now and 300 s from now' });
    expect(summary(60)).toEqual({ kind: 'held', summary: '1 value between now and one window from now' });
  });
});

it('a wait says nothing of a request that costs more than the one that was refused', () => {
  const scopes = { media: { title: 'media', limit: 4, promise: 'at-most' } };
  const document = { refusal: { waitSeconds: 30 }, scopes };
  const sent = (cost: { readonly cost?: number }) => [
    admitted(0, 5),
    limited(100, 105),
    limited(40_000, 40_005, cost),
  ];
  const kind = (cost: { readonly cost?: number }) =>
    verdictOn('refusal.stated-wait-suffices', traceOfDocument(sent(cost), document))?.kind;
  expect(kind({})).toBe('violated');
  expect(kind({ cost: 3 })).toBe('inconclusive');
});
