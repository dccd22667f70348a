import type { Algorithm, IdentifiedGroup } from '../../contract/identification.ts';
import { curveStepsMax } from '../../contract/picture-bounds.ts';
import type { Returns } from '../../contract/pictures.ts';
import { concurrencyLimit } from '../../limiters/concurrency-limit.ts';
import { extendOnReject } from '../../limiters/extend-on-reject.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { canBeKept, openWindow, type Rate, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { slidingLogCountingRejections } from '../../limiters/sliding-log-counting-rejections.ts';
import { subWindowLog } from '../../limiters/sub-window-log.ts';
import { tokenBucket } from '../../limiters/token-bucket.ts';
import { twoBucket } from '../../limiters/two-bucket.ts';
import { byMoment } from '../by-moment.ts';
import { ascending } from '../counting.ts';
import type { Group } from '../entries.ts';
import { type ProbedGroup, probedGroups } from './identify-groups.ts';
import type { ObservedRequest } from './observations.ts';

/** Limiters that are drawn beside every trace; the one that was identified is drawn too. */
const usual: readonly Known[] = [
  'sliding-log',
  'fixed-window-wall-clock',
  'fixed-window-first-request',
  'two-bucket',
  'token-bucket',
];

/**
 * How capacity came back in each group that the probes filled, and how it would have under other limiters: each is
 * asked the same requests, at the middle of each exchange. A difference
 * that is smaller than an exchange took may be the network's.
 */
export function returnCurves(
  groups: readonly Group[],
  identified: readonly IdentifiedGroup[],
): readonly Returns[] {
  return probedGroups(groups).flatMap((group) => probedCurves(group, identified));
}

/** The same of one group that the probes filled. */
export function probedCurves(
  group: ProbedGroup<ObservedRequest>,
  identified: readonly IdentifiedGroup[],
): readonly Returns[] {
  const found = identified.find(({ key, scope }) => key === group.key && scope === group.scope);
  return found === undefined ? [] : [curvesOf(group, found)];
}

/** The requests that were decided, in the order of the middles of their exchanges, as columns: of a long trace there are very many. */
type Asked = { readonly atMs: Float64Array; readonly isAdmitted: Uint8Array };

function askedOf({ exchanges }: ProbedGroup<ObservedRequest>, originMs: number): Asked {
  const [atMs, isAdmitted] = [new Float64Array(exchanges.length), new Uint8Array(exchanges.length)];
  let count = 0;
  for (const { sentMs, receivedMs, outcome } of exchanges) {
    if (outcome !== 'admitted' && outcome !== 'limited') continue;
    atMs[count] = (sentMs + (receivedMs ?? sentMs)) / 2 - originMs;
    isAdmitted[count] = outcome === 'admitted' ? 1 : 0;
    count += 1;
  }
  return inOrder({ atMs: atMs.subarray(0, count), isAdmitted: isAdmitted.subarray(0, count) });
}

function inOrder(asked: Asked): Asked {
  const { atMs, isAdmitted } = asked;
  if (ascending(atMs) === atMs) return asked;
  const order = byMoment(
    Uint32Array.from(atMs, (_, at) => at),
    atMs,
  );
  return {
    atMs: Float64Array.from(order, (at) => atMs[at] as number),
    isAdmitted: Uint8Array.from(order, (at) => isAdmitted[at] as number),
  };
}

function curvesOf(group: ProbedGroup<ObservedRequest>, found: IdentifiedGroup): Returns {
  const originMs = group.exchanges[0]?.sentMs ?? 0;
  const asked = askedOf(group, originMs);
  const fullMs = asked.atMs[asked.isAdmitted.indexOf(0)] ?? 0;
  const endMs = asked.atMs.at(-1) ?? 0;
  const rate = rateOf(group, found);
  const names = typeof found.algorithm === 'string' ? [found.algorithm] : found.algorithm;
  const drawn = [...new Set([...usual, ...names.filter(isKnown)])];
  const span = { fullMs, endMs };
  return {
    scope: group.scope,
    key: group.key,
    originMs,
    ...rate,
    endMs: Math.round(endMs),
    observed: curveOf(asked, (at) => asked.isAdmitted[at] === 1, span),
    models: drawn.map((algorithm) => {
      const limiter = openings[algorithm](rate, found);
      return {
        algorithm,
        isIdentified: names.includes(algorithm),
        // It is asked the same requests, one after another.
        curve: curveOf(asked, (_, ms) => limiter.decide(originMs + ms).admitted, span),
      };
    }),
  };
}

/** The identified rate, where a limiter can keep it: on a busy key the best fit may be no request at all, or no time. */
function rateOf({ limit, windowMs }: ProbedGroup<ObservedRequest>, found: IdentifiedGroup): Rate {
  const identified = {
    limit: found.limit ?? limit,
    windowMs: found.windowSeconds === null ? windowMs : found.windowSeconds.value * 1_000,
  };
  return canBeKept(identified) ? identified : { limit, windowMs };
}

type Known = Exclude<Algorithm, 'unidentified'>;

function isKnown(algorithm: Algorithm): algorithm is Known {
  return algorithm !== 'unidentified';
}

const openings: Readonly<Record<Known, (rate: Rate, found: IdentifiedGroup) => RateWindow>> = {
  'sliding-log': (rate) => openWindow(slidingLog(rate)),
  'sliding-log-counting-rejections': (rate) => openWindow(slidingLogCountingRejections(rate)),
  'sub-window-log': (rate, { granularitySeconds }) =>
    openWindow(subWindowLog(rate, { subWindowMs: (granularitySeconds ?? 1) * 1_000 })),
  'fixed-window-wall-clock': (rate) => openWindow(fixedWindow(rate)),
  'fixed-window-first-request': (rate) => openWindow(fixedWindowFirstRequest(rate)),
  'fixed-window-phase': (rate, found) => openWindow(fixedWindow(rate, { phaseMs: phaseMsOf(found) })),
  'two-bucket': (rate, found) => openWindow(twoBucket(rate, { phaseMs: phaseMsOf(found) })),
  'two-bucket-counting-rejections': (rate, found) =>
    openWindow(twoBucket(rate, { phaseMs: phaseMsOf(found), counts: 'all' })),
  'token-bucket': (rate) => openWindow(tokenBucket(rate)),
  // Identified by what may come at once and how long that takes to drip in: token buckets of that rate.
  'leaky-bucket': (rate) => openWindow(tokenBucket(rate)),
  'leaky-bucket-queue': (rate) => openWindow(tokenBucket(rate)),
  'concurrency-limit': (rate) => openWindow(concurrencyLimit(rate)),
  'extend-on-reject': (rate) => openWindow(extendOnReject(rate)),
  'block-on-reject': (rate) => openWindow(extendOnReject(rate, { extendedBy: 'first-rejection' })),
};

function phaseMsOf({ phaseSeconds }: IdentifiedGroup): number {
  return phaseSeconds === null ? 0 : (phaseSeconds.low + phaseSeconds.high) * 500;
}

type Span = { readonly fullMs: number; readonly endMs: number };

/**
 * How many were admitted since the first refusal, after each of them; the first and the last of many at once.
 * @param isAdmitted asked of each request, by its position and its moment, in their order.
 */
function curveOf(
  asked: Asked,
  isAdmitted: (at: number, atMs: number) => boolean,
  { fullMs, endMs }: Span,
): Returns['observed'] {
  const binMs = Math.max(1, (endMs - fullMs) / (curveStepsMax / 2 - 2));
  const steps: { atMs: number; admitted: number; bin: number }[] = [{ atMs: fullMs, admitted: 0, bin: -1 }];
  let admitted = 0;
  for (let at = 0; at < asked.atMs.length; at += 1) {
    const atMs = asked.atMs[at] as number;
    if (!isAdmitted(at, atMs) || atMs < fullMs) continue;
    admitted += 1;
    const bin = Math.floor((atMs - fullMs) / binMs);
    if (steps.at(-2)?.bin === bin) steps.pop();
    steps.push({ atMs, admitted, bin });
  }
  const all = [...steps, { atMs: endMs, admitted }];
  return {
    atMs: all.map(({ atMs }) => Math.round(atMs * 10) / 10),
    admitted: all.map((step) => step.admitted),
  };
}
