import type { Exchange } from '../../../contract/exchange.ts';
import { groupsOf } from '../../entries.ts';
import { admitted, type Given, limited, type Setting, traceOf } from '../../testing/traces.ts';
import type { Ground } from '../ground.ts';

type Make = (sentMs: number, receivedMs: number, given?: Given) => Exchange;

/** Times from 0 on, at which fractions of a millisecond are exact: a bound can be met to the last digit. */
const exactly =
  (make: Make): Make =>
  (sentMs, receivedMs, given = {}) =>
    make(0, 0, { sentMs, receivedMs, wallSentMs: sentMs, wallReceivedMs: receivedMs, limit: '3', ...given });

export const admittedAt = exactly(admitted);
export const limitedAt = exactly(limited);

const limits = { standard: 3, messages: 3, media: 3 };

/** What a proof about the first group of a trace stands on; three are allowed in a minute. */
export function groundOf(exchanges: readonly Exchange[], setting: Setting = {}): Ground {
  const trace = traceOf(exchanges, { limits, ...setting });
  const [group] = groupsOf(trace);
  if (group === undefined) throw new Error('a ground needs a request with a key');
  return { trace, stepped: () => false, group };
}
