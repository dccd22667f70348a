import type { Exchange } from '../../contract/exchange.ts';
import type { Trace } from '../../contract/trace.ts';
import { admitted, type Given, limited, times, traceOf } from '../../judge/testing/traces.ts';

/** Small traces, by name, with violations that no fault of the gate shows in a whole run. */
export const certifiableTraces: readonly (readonly [name: string, trace: Trace])[] = [
  ['places-left', placesLeft()],
  ['no-parts', noParts()],
  ['refused-together', refusedTogether()],
  ['cap-clear', wrongfulFarFromOthers()],
  ['may-leave', placesThatCannotLeave()],
  ['load-nodes', ofScenario('nodes', perNode())],
  [
    'load-media-burst',
    ofScenario(
      'media-burst',
      times(5, () => admitted(0, 5, { driver: 'k6' })),
    ),
  ],
  ['go-sends-again', ofScenario('over-pressure', sentAgain())],
];

/** The first 429 comes although the answer before it left 6 places. */
function placesLeft(): Trace {
  const counted = times(24, (at) => admitted(10 * at, 10 * at + 5, { remaining: String(29 - at) }));
  return traceOf([...counted, limited(1_000, 1_005)]);
}

/**
 * A place is held for 60.9 s. Each refusal alone may be the end of a second that the service counts in; the first needs
 * one that begins near 0.0 s, the second one that begins after 0.1 s. Rejections do not count: there were 3 of them at 30 s.
 */
function noParts(): Trace {
  const exchanges = [
    ...[0, 300, 700].map((at) => admitted(at, at + 2)),
    ...times(3, () => limited(30_000, 30_002)),
    limited(60_850, 60_852),
    admitted(60_950, 60_952),
    limited(61_150, 61_152),
  ];
  return traceOf(exchanges, { limits: { standard: 3, messages: 3, media: 3 } });
}

/** One fewer than the limit, then four 429s at once: none of these can have been decided first, though rejections may count. */
function refusedTogether(): Trace {
  const exchanges = [
    ...times(2, () => admitted(-90_000, -89_995)),
    ...times(2, () => admitted(0, 5)),
    ...times(4, (at) => limited(10 + at, 20)),
  ];
  return traceOf(exchanges, { limits: { standard: 3, messages: 3, media: 3 } });
}

/** A 429 more than a window after the last request, in a scope that may have a cap per second. */
function wrongfulFarFromOthers(): Trace {
  const standard: Given = { scope: 'standard' };
  return traceOf([admitted(0, 5, standard), limited(200_000, 200_005, standard)]);
}

/** A 429 with places left, beside three admissions at the same time: none of its window can end so soon. */
function placesThatCannotLeave(): Trace {
  const together = times(3, () => admitted(100_000, 100_100));
  const exchanges = [admitted(0, 5), ...together, limited(100_000, 100_100, { remaining: '2' })];
  return traceOf(exchanges, { limits: { standard: 3, messages: 3, media: 3 } });
}

function perNode(): readonly Exchange[] {
  return times(8, (at) => admitted(0, 5, { driver: 'k6', node: at % 2 }));
}

/** Go may have sent the GETs twice. */
function sentAgain(): readonly Exchange[] {
  const get: Given = { driver: 'k6', method: 'GET' };
  return [admitted(0, 5, get), admitted(62_000, 62_005, get), limited(62_500, 62_505, get)];
}

function ofScenario(scenario: string, exchanges: readonly Exchange[]): Trace {
  const trace = traceOf(
    exchanges.map((one) => ({ scenario, ...one })),
    { limits: { standard: 4, messages: 4, media: 4 }, mode: 'load' },
  );
  const line = { state: 'complete', reason: null, key: 'A', scope: 'media', requestsSent: null } as const;
  return { ...trace, loads: [{ kind: 'load', scenario, ...line }] };
}
