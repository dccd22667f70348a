import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../contract/clauses/registry.ts';
import type { Exchange } from '../contract/exchange.ts';
import { admitted, limited, times, traceOf } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

function evidenceOn(clause: ClauseId, exchanges: readonly Exchange[]) {
  const verdict = verdictOn(clause, traceOf(exchanges));
  if (verdict?.kind !== 'violated') return expect.fail(`${clause} is ${verdict?.kind}`);
  return verdict.evidence;
}

const unauthorized = (at: number): Exchange =>
  admitted(at, at + 5, {
    status: 401,
    outcome: 'refused',
    credential: 'absent',
    key: null,
    body: 'Unauthorized',
  });

const notFound = admitted(600, 605, {
  status: 404,
  outcome: 'refused',
  route: 'other',
  body: '{"success":false,"error":{"code":"not_found"}}',
});

describe('what is wrong with many answers', () => {
  const many = [...times(300, unauthorized), notFound, ...times(205, (at) => unauthorized(700 + at))];

  test('hides no other answer that is wrong in another way', () => {
    const { observed, exchanges, exchangesTotal } = evidenceOn('error.other-shape', many);
    expect(observed).toBe(
      'HTTP 401: the body is not JSON × 505; HTTP 404: error.message absent × 1 (506 of 506 answers)',
    );
    expect(exchangesTotal).toBe(506);
    expect(exchanges).toHaveLength(8);
    expect(exchanges.map(({ status }) => status)).toContain(404);
    // Still in their order, with the first and the last.
    expect(exchanges.map(({ sentMs }) => sentMs)).toEqual(
      exchanges.map(({ sentMs }) => sentMs).toSorted((a, b) => a - b),
    );
    expect([exchanges[0]?.sentMs, exchanges.at(-1)?.sentMs]).toEqual([0, 904]);
  });

  test('is said once where it is all the same, whatever each quotes', () => {
    const messages = times(20, (at) =>
      limited(at, at + 5, { body: JSON.stringify({ success: false, error: { code: `code ${at}` } }) }),
    );
    expect(evidenceOn('error.code', messages).observed).toBe('error.code "code 0" (20 of 20 answers)');
  });

  test('is bounded where it is of many kinds', () => {
    const statuses = [400, 401, 404, 405, 409, 410, 422];
    const kinds = statuses.map((status, at) =>
      admitted(at * 10, at * 10 + 5, { status, outcome: 'refused', body: 'no' }),
    );
    const { observed, exchanges } = evidenceOn('error.other-shape', kinds);
    const text = (some: readonly number[]) =>
      some.map((status) => `HTTP ${status}: the body is not JSON × 1`).join('; ');
    expect(observed).toBe(`${text(statuses.slice(0, 5))}; 2 other kinds (7 of 7 answers)`);
    expect(exchanges).toHaveLength(7);
    const five = evidenceOn('error.other-shape', kinds.slice(0, 5));
    expect(five.observed).toBe(`${text(statuses.slice(0, 5))} (5 of 5 answers)`);
  });
});
