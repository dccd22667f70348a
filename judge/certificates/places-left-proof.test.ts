import { expect, test } from 'vitest';
import { flawsOf, provenOf } from '../testing/certified.ts';
import { admitted, limited, times, traceOf } from '../testing/traces.ts';

test('a refusal after an answer that had left places is proved by both', () => {
  const counted = times(24, (at) => admitted(10 * at, 10 * at + 5, { remaining: String(29 - at) }));
  const [proven, ...others] = provenOf(traceOf([...counted, limited(1_000, 1_005)]));
  expect(others).toEqual([]);
  expect(proven).toMatchObject({
    clause: 'limits.media',
    reason: 'refused-while-remaining',
    parts: [{ rule: 'places-left', relation: '<' }],
  });
  expect(flawsOf(proven)).toEqual([]);
});

test('what may have come since is named in the order of sending, whichever key it used', () => {
  const first = admitted(100, 105, { remaining: '29' });
  const since = [
    admitted(120, 125, { key: 'B' }),
    admitted(130, 135),
    admitted(140, 145, { key: 'B' }),
    // At one moment by the number of the request, and by its line where two clients give the same.
    admitted(150, 155, { index: 7_000, key: 'B' }),
    admitted(150, 155, { index: 7_001 }),
    admitted(160, 165, { index: 8_000, key: 'B' }),
    admitted(160, 165, { index: 8_000 }),
    admitted(170, 175, { index: 8_999 }),
    admitted(170, 175, { index: 8_998, key: 'B' }),
  ];
  const refusal = limited(200, 205);
  const [proven] = provenOf(traceOf([first, ...since, refusal]));
  const inOrder = since.map(({ requestId }) => requestId);
  const last = inOrder.splice(-2).reverse();
  expect(proven?.parts[0]?.requestIds).toEqual([first.requestId, refusal.requestId, ...inOrder, ...last]);
  expect(proven?.parts[0]).toMatchObject({ left: 9, right: 29 });
});

test('requests of another key at another scope have taken no place', () => {
  const beside = times(3, () => admitted(150, 155, { key: 'B', scope: 'messages', route: 'subpath' }));
  const limits = { standard: 3, messages: 3, media: 3 };
  const trace = traceOf([admitted(100, 105, { limit: '3', remaining: '2' }), ...beside, limited(200, 205)], {
    limits,
  });
  expect(provenOf(trace).map(({ reason }) => reason)).toContain('refused-while-remaining');
});
