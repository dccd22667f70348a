import { inconclusive, observed } from '../../contract/verdict.ts';
import type { EventArrival } from './arrival.ts';
import type { WebhookJudge } from './case.ts';

/** Units of an epoch number, and how many of them are a millisecond. */
const units = [
  { name: 'seconds', perMs: 1e-3 },
  { name: 'milliseconds', perMs: 1 },
  { name: 'microseconds', perMs: 1e3 },
  { name: 'nanoseconds', perMs: 1e6 },
] as const;

export type Unit = (typeof units)[number];

/** An event may be delivered late, from a queue that was stopped for long. */
const ageMsMax = 366 * 86_400_000;

/** Clocks may be apart by this much. */
const aheadMsMax = 300_000;

/** The units in which a number is a time of the year before its arrival; the ranges lie far apart, so it is one or none. */
export function plausibleUnits(timestamp: number, arrivedMs: number): readonly Unit[] {
  return units.filter(({ perMs }) => {
    const ageMs = arrivedMs - timestamp / perMs;
    return ageMs >= -aheadMsMax && ageMs <= ageMsMax;
  });
}

/** The unit of most timestamps, and of the first of them where several are as frequent; `null` where none is plausible. */
export function usualUnit(events: readonly EventArrival[]): Unit['name'] | null {
  const [most] = [...unitCounts(events)].sort(([, left], [, right]) => right - left);
  return most?.[0] ?? null;
}

function unitCounts(events: readonly EventArrival[]): ReadonlyMap<Unit['name'], number> {
  const counts = new Map<Unit['name'], number>();
  for (const { envelope, delivery } of events) {
    const { timestamp } = envelope;
    const found = typeof timestamp === 'number' ? plausibleUnits(timestamp, delivery.arrivedMs) : [];
    for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** `webhook.timestamp-unit` */
export const judgeTimestampUnit: WebhookJudge = ({ events }) => {
  const counts = [...unitCounts(events)].map(([name, count]) => `${name} (${count})`);
  return counts.length === 0 ? inconclusive('no plausible timestamp arrived') : observed(counts.join(', '));
};
