import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tied } from '../soundness/k6-world.ts';
import { judgedMusts, playDocumentBatch } from './document-batch.ts';
import { documentSetting, documentTrace } from './hostile-document.ts';
import { playedTraffic, traffic } from './traffic.ts';

// `npm run soundness -- --documents 10000` plays as many as one has time for.
test('a service that keeps whatever its document says is never called violated', () => {
  fc.assert(
    fc.property(documentSetting, (setting) => {
      expect(judgedMusts(documentTrace(setting)).violated).toEqual([]);
    }),
    { numRuns: 40, seed: 20_261_128 },
  );
});

test('nor by requests that no schedule sends, whatever clocks and connections do', () => {
  fc.assert(
    fc.property(traffic, (given) => {
      expect(judgedMusts(tied(playedTraffic(given))).violated).toEqual([]);
    }),
    { numRuns: 400, seed: 20_261_127 },
  );
});

test('where each GET is taken for sent once, something is: the property can fail', () => {
  const misled = fc.sample(traffic, { numRuns: 200, seed: 7 }).filter((given) => {
    const trace = tied(playedTraffic({ ...given, stepMs: 0 }));
    const once = trace.exchanges.map((exchange) => ({ ...exchange, sentOnce: true as const }));
    return judgedMusts({ ...trace, exchanges: once }).violated.length > 0;
  });
  expect(misled.length).toBeGreaterThan(10);
});

test('a batch judges a whole run of each document, and traffic beside it', () => {
  const { traces, held, falseVerdicts } = playDocumentBatch({ seed: 3, runs: 4 });
  expect([traces, falseVerdicts]).toEqual([24, []]);
  expect(held).toBeGreaterThan(24);
});
