import { describe, expect, it } from 'vitest';
import type { ServedLimit } from '../../contract/clients/trace.ts';
import { observeConcurrency, observeMakespan, observeRefusals, scopeMeasures } from './measures.ts';
import { admitted, limited, traceOf } from './testing/arrivals.ts';

const media = { scope: 'media' } as const;
const backlog = Array.from({ length: 31 }, (_, n) => admitted(`job-${n}`, 100 + n * 2_500, media));

describe('what a key did in a scope', () => {
  it('is measured where the key has the documented limits', () => {
    const trace = traceOf(
      [
        ...backlog,
        limited('early', 40, media),
        limited('late', 90_000, media),
        admitted('message', 0),
        limited('other', 0, { key: 'B', ...media }),
        limited('refused', 0, { key: 'C', ...media }),
        limited('broken', 7, { key: 'B', status: 503, ...media }),
      ],
      { lessons: { A: 'limits', B: 'limits', C: 'refusals', D: 'limits' } },
    );
    const rest = { refused: 0, makespanMs: 0, makespanMsLeast: 0 };
    expect(scopeMeasures(trace)).toEqual([
      { key: 'A', scope: 'messages', limit: 300, admitted: 1, ...rest },
      {
        key: 'A',
        scope: 'media',
        limit: 30,
        admitted: 31,
        refused: 2,
        makespanMs: 75_060,
        makespanMsLeast: 60_000,
      },
      { key: 'B', scope: 'media', limit: 30, admitted: 0, ...rest, refused: 1 },
    ]);
  });

  it('takes the least time that all limits of a document leave', () => {
    const least = (...parts: readonly ServedLimit[]) => {
      const header = { parts: { media: [...parts] }, lessons: { A: 'limits' } } as const;
      return scopeMeasures(traceOf(backlog, header))[0]?.makespanMsLeast;
    };
    const bucket: ServedLimit = { back: 'one-by-one', limit: 11, windowMs: 5_500 };
    // 31 requests: the bucket gets 20 back, at 2 a second.
    expect(least(bucket)).toBe(10_000);
    // Ten in each 6 s by the clock: the first two windows may meet.
    expect(least({ back: 'clock-window', limit: 10, windowMs: 6_000 })).toBe(12_000);
    expect(least({ back: 'window', limit: 10, windowMs: 6_000 }, bucket)).toBe(18_000);
    expect(least({ back: 'one-by-one', limit: 40, windowMs: 5_500 })).toBe(0);
  });

  it('is that of the scopes within it, too, whose requests take places of its limits', () => {
    const window = (limit: number): ServedLimit => ({ back: 'window', limit, windowMs: 60_000 });
    const header = {
      parts: { media: [window(30), window(40)], messages: [window(40)] },
      within: { media: 'messages' },
      lessons: { A: 'limits' },
    } as const;
    const sent = [...backlog, ...Array.from({ length: 10 }, (_, n) => admitted(`message-${n}`, 80_000 + n))];
    expect(scopeMeasures(traceOf([...sent, limited('late', 90_000, media)], header))).toMatchObject([
      { scope: 'messages', admitted: 41, refused: 1, makespanMs: 79_909, makespanMsLeast: 60_000 },
      { scope: 'media', admitted: 31, refused: 1, makespanMs: 75_000, makespanMsLeast: 60_000 },
    ]);
  });

  it('counts a request that passed and is answered by an error', () => {
    const login = { ...media, status: 401 } as const;
    const sent = [
      admitted('a', 0, { ...login, passed: true }),
      admitted('b', 1, login),
      limited('c', 2, media),
    ];
    const trace = traceOf(sent, { lessons: { A: 'limits' } });
    expect(scopeMeasures(trace)).toMatchObject([{ admitted: 1, refused: 1 }]);
  });

  it('takes no time where nothing was admitted', () => {
    const trace = traceOf([limited('a', 5, media), limited('a', 9_000, media)], { lessons: { A: 'limits' } });
    expect(scopeMeasures(trace)).toMatchObject([{ makespanMs: 0, makespanMsLeast: 0 }]);
  });
});

describe('in words', () => {
  const measures = scopeMeasures(
    traceOf([...backlog, limited('x', 1, media), limited('y', 2), admitted('z', 3, { scope: 'standard' })], {
      lessons: { A: 'limits' },
    }),
  );

  it('refusals are told by the hundred admitted, where any were', () => {
    expect(observeRefusals(measures)).toEqual({
      kind: 'observed',
      value:
        'standard 0 for 1 admitted (0.0 per 100); messages 1 for 0 admitted; media 1 for 31 admitted (3.2 per 100)',
    });
  });

  it('a backlog is compared with the least time that it can take', () => {
    expect(observeMakespan(measures.filter(({ scope }) => scope !== 'messages'))).toEqual({
      kind: 'observed',
      value:
        'standard 1, which one window of 120 can hold: no least time to compare with; media 31 in 75.1 s, 1.252 × the least possible',
    });
  });

  it('there is nothing to say where nothing was sent', () => {
    expect(
      [observeRefusals([]), observeMakespan([]), observeConcurrency([])].map(({ kind }) => kind),
    ).toEqual(Array.from({ length: 3 }, () => 'not-applicable'));
  });
});

describe('requests at once', () => {
  it('are those of a tenth of a second, its end not included', () => {
    const at = (ms: number, connection = 1) => admitted(`at-${ms}`, ms, { connection });
    const value = (...ms: readonly number[]) => observeConcurrency(ms.map((one) => at(one)));
    expect(observeConcurrency([at(0), at(1, 2), at(99.5, 2)])).toEqual({
      kind: 'observed',
      value: '2 connections, at most 3 requests in 100 ms',
    });
    expect(value(0, 50, 100)).toMatchObject({ value: expect.stringContaining('at most 2 requests') });
    expect(value(0, 1, 2, 300, 301)).toMatchObject({ value: expect.stringContaining('at most 3 requests') });
    expect(value(0, 300, 301)).toMatchObject({ value: expect.stringContaining('at most 2 requests') });
  });
});
