import { describe, expect, it } from 'vitest';
import { evidenceOf, quoting, secondsText, withoutHeaders } from './evidence.ts';
import { admitted, indeterminate, times } from './testing/traces.ts';

describe('evidence', () => {
  it('quotes eight of many: the first, the last, and evenly between them', () => {
    const many = times(22, (at) => admitted(at * 10, at * 10 + 5));
    const { exchanges, exchangesTotal } = evidenceOf('a', 'b', many);
    expect(exchanges.map(({ sentMs }) => sentMs)).toEqual([0, 30, 60, 90, 120, 150, 180, 210]);
    expect(exchangesTotal).toBe(22);
    expect(evidenceOf('a', 'b', many.slice(0, 8)).exchanges).toHaveLength(8);
  });

  it('quotes what has to be seen, as much of it as leaves room for the first and the last', () => {
    const many = times(22, (at) => admitted(at * 10, at * 10 + 5));
    const quotedOf = (surely: typeof many) =>
      evidenceOf('a', 'b', many, surely).exchanges.map(({ sentMs }) => sentMs);
    expect(quotedOf(many.slice(3, 13))).toEqual([0, 30, 40, 50, 60, 70, 80, 210]);
    expect(quotedOf(many.slice(0, 1))).toEqual([0, 10, 40, 80, 110, 140, 180, 210]);
  });

  it('quotes the first eight where nothing chooses among them', () => {
    const claim = { expected: 'a', observed: 'b', total: 9 };
    const quoted = quoting(
      claim,
      times(9, (at) => admitted(at, at + 5)),
      (one) => ({ ...one, ...withoutHeaders }),
    );
    expect(quoted.exchanges.map(({ sentMs }) => sentMs)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('gives times from the first of them, to the microsecond', () => {
    const { exchanges } = evidenceOf('a', 'b', [
      admitted(100, 105.5),
      admitted(200.25, 300),
      indeterminate(400),
    ]);
    expect(exchanges.map(({ sentMs, receivedMs }) => [sentMs, receivedMs])).toEqual([
      [0, 5.5],
      [100.25, 200],
      [300, null],
    ]);
  });

  it('shows the headers, and the beginning of a body', () => {
    const given = {
      limit: '7',
      remaining: '6',
      reset: '5',
      body: 'x'.repeat(300),
      credential: 'valid',
    } as const;
    const [whole] = evidenceOf('a', 'b', [admitted(0, 5, given)]).exchanges;
    expect(whole).toMatchObject({
      limit: '7',
      remaining: '6',
      reset: '5',
      body: 'x'.repeat(240),
      path: '/v1/media',
    });
    const [without] = evidenceOf('a', 'b', [admitted(0, 5)]).exchanges;
    expect(without?.body).toBeNull();
  });

  it('is nothing but the claim where nothing shows it', () => {
    expect(evidenceOf('a', 'b', [])).toEqual({
      expected: 'a',
      observed: 'b',
      exchanges: [],
      exchangesTotal: 0,
    });
  });
});

it('a length of time is told to the millisecond', () => {
  expect(secondsText(60_004.4)).toBe('60.004 s');
});
