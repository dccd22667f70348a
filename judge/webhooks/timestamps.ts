import { howMany } from '../../contract/quantities.ts';
import { shown } from '../../contract/shown-json.ts';
import { held, inconclusive, observed } from '../../contract/verdict.ts';
import type { EventArrival } from './arrival.ts';
import type { WebhookJudge } from './case.ts';
import { plausibleUnits, type Unit } from './epoch-units.ts';
import { flawTally, type SortedFlaw } from './evidence.ts';

type UnitName = Unit['name'];

/** How many timestamps are in each unit, the one that came first before the others. */
function unitCounts() {
  const counts = new Map<UnitName, number>();
  return {
    counts,
    add({ envelope: { timestamp }, delivery }: EventArrival): void {
      const found = typeof timestamp === 'number' ? plausibleUnits(timestamp, delivery.arrivedMs) : [];
      for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    /** The unit of most, and of the first of them where several are as frequent; `null` where none is plausible. */
    usual(): UnitName | null {
      const [most] = [...counts].sort(([, left], [, right]) => right - left);
      return most?.[0] ?? null;
    },
  };
}

/** `webhook.timestamp`. Which unit is the usual one shows at the end alone: until then each may be a flaw. */
export const judgeTimestamp: WebhookJudge = () => {
  const units = unitCounts();
  const flaws = flawTally();
  let items = 0;
  return {
    add({ event, delivery }) {
      if (event === null) return;
      items += 1;
      units.add(event);
      flaws.add(delivery, flawUnlessUsual(event));
    },
    verdict() {
      if (items === 0) return inconclusive('no event arrived in an envelope');
      const usual = units.usual();
      return (
        flaws.verdict({
          items,
          what: 'event',
          expected: 'an integer: epoch time in any one unit',
          isFlaw: ({ sort }) => sort !== usual,
          seenAs: ({ seen, sort }) => (sort === '' ? seen : `${seen}, and most are in ${usual}`),
        }) ?? held(howMany(items, 'event'))
      );
    },
  };
};

/** What is wrong with a timestamp; of one that is right, what is wrong with it if most are in another unit. */
function flawUnlessUsual({ envelope: { timestamp }, delivery }: EventArrival): SortedFlaw {
  if (typeof timestamp !== 'number' || !Number.isInteger(timestamp))
    return { reason: 'timestamp-no-integer', seen: `timestamp is ${shown(timestamp)}` };
  const [unit] = plausibleUnits(timestamp, delivery.arrivedMs);
  if (unit === undefined)
    return { reason: 'timestamp-implausible', seen: `timestamp ${timestamp} is no time of the last year` };
  const seen = `timestamp ${timestamp} is in ${unit.name}`;
  return { reason: 'timestamp-units-mixed', seen, sort: unit.name };
}

/** `webhook.timestamp-unit` */
export const judgeTimestampUnit: WebhookJudge = () => {
  const units = unitCounts();
  return {
    add({ event }) {
      if (event !== null) units.add(event);
    },
    verdict() {
      const counts = [...units.counts].map(([name, count]) => `${name} (${count})`);
      return counts.length === 0
        ? inconclusive('no plausible timestamp arrived')
        : observed(counts.join(', '));
    },
  };
};
