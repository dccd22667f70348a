import { bounds } from '../../contract/bounds.ts';
import { howMany } from '../../contract/quantities.ts';
import type { Entry, Group } from '../entries.ts';
import { secondsText } from '../evidence.ts';
import { crowdText, seenOfCrowd, unexplainedCrowds } from '../first-refused.ts';
import { explainedLengths, forEachReach, type Lengths, neededMsOf, type Reading } from '../lengths.ts';
import { spanOf } from '../span.ts';
import { allBut } from './all-but.ts';
import { anyOf } from './any-of.ts';
import { hasCosts, limitText, requestsText, spareText } from './in-units.ts';
import type { Contradiction, Explainer, PromisedGroup, Prover } from './prover.ts';

/** No more than the limit in any rolling window. */
export const proveAtMost: Prover = (promised) => tooMany(promised, lengthsUnder(promised, 'not-counted'));

/** Who made fewer requests than the limit in the window before, those that were refused among them, is served. */
export const proveAtLeast: Prover = (promised) => tooFew(promised, 'counted') ?? tooFewFirst(promised);

/** A rolling window, whether rejections count or not. */
export const proveRolling: Prover = anyOf(rollingUnder('not-counted'), rollingUnder('counted'));

function rollingUnder(reading: Reading): Prover {
  return (promised) => {
    const lengths = lengthsUnder(promised, reading);
    return tooMany(promised, lengths) ?? tooFew(promised, reading) ?? tooFewFirst(promised);
  };
}

/** Each that a window of the promised length explains; none where more was admitted than it lets pass. */
export const explainedByRolling: Explainer = (promised) =>
  proveAtMost(promised) === null ? explainedByAtLeast(promised) : [];

/** Each that a window of the promised length explains, or that requests from before the run may. */
export const explainedByAtLeast: Explainer = ({ group, refusals }) => {
  const { limit, explaining, settledMs } = group;
  const late = refusals.filter((entry) => entry.lowMs >= settledMs);
  const history = { limit, entries: explaining, reading: 'counted', refusals: late } as const;
  const beyond: Entry[] = [];
  forEachReach(history, (refusal, fromMs) => {
    if (neededMsOf(refusal, fromMs) > reachMsOf(group)) beyond.push(refusal);
  });
  return allBut(refusals, beyond);
};

function lengthsUnder({ group, refusals }: PromisedGroup, reading: Reading): Lengths {
  const late = refusals.filter((entry) => entry.lowMs >= group.settledMs);
  return explainedLengths({ limit: group.limit, entries: group.explaining, reading, refusals: late });
}

function tooMany({ group }: PromisedGroup, { highMs, highBy }: Lengths): Contradiction | null {
  const { windowMs, scope, key } = group;
  if (highMs >= windowMs) return null;
  const by = highBy();
  return {
    kind: 'over-admission',
    expected: `at most ${limitText(group)} of a key admitted in any ${secondsText(windowMs)}`,
    observed: `${requestsText(by, group)} of key ${key} at ${scope} admitted within ${secondsText(spanOf(by).ms)}`,
    by,
  };
}

function tooFew(promised: PromisedGroup, reading: Reading): Contradiction | null {
  const { group } = promised;
  const { limit, windowMs, scope, key } = group;
  const { lowMs, lowBy } = lengthsUnder(promised, reading);
  const reachMs = reachMsOf(group);
  if (lowMs <= reachMs || lowBy === null) return null;
  const before = group.entries.filter(
    (entry) =>
      entry.exchange !== lowBy.exchange &&
      entry.highMs > lowBy.lowMs - reachMs &&
      entry.lowMs <= lowBy.highMs,
  );
  const made =
    reading === 'counted' ? before : before.filter((entry) => entry.exchange.outcome !== 'limited');
  const refused = before.length - made.length;
  const beside = refused === 0 ? '' : `, and ${refused} that were refused`;
  return {
    kind: 'wrongful-429',
    expected: `a request is served if ${spareText(lowBy, limit)} in the ${secondsText(windowMs)} before it`,
    observed: `a 429 for key ${key} at ${scope} with ${usedText(made, group)} in the ${secondsText(reachMs)} before it${beside}`,
    by: [...before, lowBy],
  };
}

/** 429s that came together, none of which can have been decided first, where rejections count. */
function tooFewFirst({ group, refusals }: PromisedGroup): Contradiction | null {
  const { limit, windowMs, explaining, settledMs } = group;
  const late = refusals.filter((entry) => entry.lowMs >= settledMs);
  const asked = { limit, entries: explaining, refusals: late, windowMs: reachMsOf(group) };
  const [crowd] = unexplainedCrowds(asked);
  if (crowd === undefined) return null;
  const { most, all } = seenOfCrowd(asked, crowd);
  const spare = spareText(crowd[0] as Entry, limit);
  return {
    kind: 'wrongful-429',
    expected: `a request is served if ${spare} in the ${secondsText(windowMs)} before it`,
    observed: crowdText(
      group,
      crowd,
      `${usedText(most, group)} in the ${secondsText(asked.windowMs)} before it`,
    ),
    by: all,
  };
}

/** "41 requests", or "105 units (21 requests)". */
function usedText(entries: readonly Entry[], group: Group): string {
  return hasCosts(group) ? requestsText(entries, group) : howMany(entries.length, 'request');
}

/** How far back what explains a refusal may reach, ms. */
function reachMsOf({ windowMs }: Pick<Group, 'windowMs'>): number {
  return windowMs + bounds.granularityMs;
}
