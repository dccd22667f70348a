import type { Exchange } from '../../../contract/exchange.ts';
import type { Trace } from '../../../contract/trace.ts';
import { admitted, type Given, limited, originMs, traceOf } from '../../../judge/testing/traces.ts';

type Random = () => number;

/**
 * Moments at which much is decided: beside each other, a second apart, and as far apart as a window of a minute may last, at the
 * least and at the most, with and without the further second.
 */
const moments = [
  0, 5, 10, 998.6, 1_000, 1_006.4, 2_001.8, 30_000, 59_975, 59_980, 59_985, 60_025, 60_030, 60_925, 61_025,
  61_030, 62_000, 90_000, 121_050, 122_055,
];

const limits = { standard: 3, messages: 3, media: 3 };

/** A trace of few requests at such moments, answered by chance: most of what can be claimed of it is false. */
export function drawnTrace(random: Random): Trace {
  const oneOf = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const count = 5 + Math.floor(random() * 12);
  const from = oneOf([0, 0, 1]);
  const scopes = oneOf([['media'], ['media', 'messages'], ['standard'], ['standard', 'messages']] as const);
  const keys = oneOf([['A'], ['A', 'B']] as const);
  const nodes = oneOf([[0], [0, 1]] as const);
  const exchanges = Array.from({ length: count }, (): Exchange => {
    const sentMs = oneOf(moments) + from * 5;
    const receivedMs = sentMs + oneOf([0, 5, 5, 10]);
    const scope = oneOf(scopes);
    const given: Given = {
      ...{ scope, key: oneOf(keys), node: oneOf(nodes), limit: '3', remaining: oneOf(['0', '1', '2', '3']) },
      route: scope === 'messages' ? oneOf(['main', 'subpath']) : 'main',
    };
    const chance = random();
    if (chance < 0.06)
      return admitted(sentMs, receivedMs, { ...given, status: 404, outcome: 'refused', body: '{}' });
    if (chance < 0.12)
      return admitted(sentMs, receivedMs, {
        ...given,
        ...oneOf([
          { key: null, credential: 'absent' },
          { credential: 'unknown' },
          { key: null, credential: 'valid' },
        ] as const),
        status: 401,
        outcome: 'refused',
        body: '{}',
      });
    if (chance < 0.6) return admitted(sentMs, receivedMs, given);
    const seconds = oneOf([1, 5, 30, 60]);
    const body = JSON.stringify({
      success: false,
      error: { code: 'rate_limit_exceeded', message: 'a', retry_after_seconds: seconds },
    });
    return limited(sentMs, receivedMs, { ...given, body });
  });
  // What was counted last need not be written last.
  const indexOf = oneOf([(at: number) => at, (at: number) => count - 1 - at]);
  const steppedMs = originMs + oneOf([...moments, ...moments.map(() => Number.POSITIVE_INFINITY)]);
  const wallAt = (ms: number) => (ms < steppedMs ? ms : ms + 700);
  const ordered = exchanges
    .toSorted((one, other) => one.sentMs - other.sentMs)
    .map((exchange, at) => ({
      ...exchange,
      index: indexOf(at),
      requestId: `drawn-${at}`,
      wallSentMs: wallAt(exchange.sentMs),
      wallReceivedMs: exchange.receivedMs === null ? null : wallAt(exchange.receivedMs),
    }));
  const deployment = oneOf([
    {},
    { perSecond: 'average' },
    { perSecond: 'average' },
    { exclusiveKeys: false },
  ]);
  return traceOf(ordered, { limits, deployment });
}
