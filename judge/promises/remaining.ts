import { windowMsAtLeast } from '../../contract/bounds.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { costOf } from '../../contract/document/cost.ts';
import type { LimitPromise } from '../../contract/document/further-limit.ts';
import type { PromiseKind } from '../../contract/document/promise.ts';
import { greatestOf } from '../../contract/extremes.ts';
import type { Analysis } from '../analysis.ts';
import type { ClockSteps } from '../clock-steps.ts';
import type { Entry, Group } from '../entries.ts';
import type { Misfit } from '../misfit.ts';
import { countedGroup } from '../outer.ts';
import { remainingBounds } from '../remaining-bounds.ts';
import { inUnits } from './in-units.ts';
import { comesBack, type ToldRemaining, told } from './told-left.ts';
import { tooFewLeft } from './too-few-left.ts';

/**
 * Admissions whose `Remaining` no limit of this kind explains: a request that was counted leaves less than the limit, by as
 * much as it costs, and less than was left before it, but for what has come back; and no less than passes after it.
 */
export function misfitsOfPromise(
  analysis: Analysis,
  { deployment, stepped }: { readonly deployment: Deployment; readonly stepped: ClockSteps },
): readonly Misfit[] {
  const { group, promise } = analysis;
  // Of several limits, the figure may be any one's.
  const [, ...others] = promise.kind === 'several' ? promise.parts : [];
  const kinds = promise.kind === 'several' ? promise.parts.map((part) => part.promise.kind) : [promise.kind];
  // Who guarantees a limit alone may leave more.
  if (kinds.includes('at-least')) return [];
  const most = Math.max(group.limit, greatestOf(others.map(({ limit }) => limit)));
  const above = told(group.admitted).flatMap((one): readonly Misfit[] => {
    const allowed = { lowest: 0, highest: most - costOf(one.entry.exchange) };
    return one.value > allowed.highest ? [{ ...one, allowed }] : [];
  });
  if (above.length > 0) return above;
  const below = tooFewLeft(analysis, { deployment, stepped });
  return below.length > 0 ? below : notFallen(group, kindAloneOf(promise), stepped);
}

/** The kind of the only limit of a scope; `null` where it has several. */
function kindAloneOf(promise: LimitPromise): PromiseKind | null {
  if (promise.kind !== 'several') return promise.kind;
  const [first, another] = promise.parts;
  return another === undefined ? first.promise.kind : null;
}

/** A later answer with more left than an earlier one and what it cost allow, if nothing had come back in between. */
type Rise = { readonly from: ToldRemaining; readonly to: ToldRemaining; readonly highest: number };

/** Answers that show that Remaining does not fall by what requests cost. */
function notFallen(group: Group, kind: PromiseKind | null, stepped: ClockSteps): readonly Misfit[] {
  switch (kind) {
    case 'rolling':
      return aboveCount(group, stepped);
    case 'token-bucket':
      return risesOf(group).flatMap((rise) => {
        const { from, to } = rise;
        const back = Math.floor(comesBack(group, to.entry.highMs - from.entry.lowMs));
        const highest = rise.highest + 1 + back;
        const isShown = to.value > highest && !stepped(from.entry.lowMs, to.entry.highMs);
        return isShown ? [misfit({ ...rise, highest })] : [];
      });
    case 'fixed':
      return twiceWithinAWindow(group, stepped).map(misfit);
    default:
      return [];
  }
}

/** Where nothing at all may be left after the later one, it is the earlier one that had left too few for it to pass. */
function misfit({ from, to, highest }: Rise): Misfit {
  if (highest >= 0) return { ...to, allowed: { lowest: 0, highest } };
  const lowest = from.value - highest;
  return { ...from, allowed: { lowest, highest: lowest } };
}

/** Of a rolling window no more is left than the limit less all that was certainly counted in it, of whatever scope. */
function aboveCount(group: Group, stepped: ClockSteps): readonly Misfit[] {
  const counted = inUnits(countedGroup(group));
  const allowedAt = remainingBounds(counted, 'not-counted');
  const fromMs = counted.entries[0]?.lowMs ?? 0;
  return told(group.admitted).flatMap((one) => {
    const { highest } = allowedAt(one.entry);
    const isShown = one.value > highest && !stepped(fromMs, one.entry.highMs);
    return isShown ? [{ ...one, allowed: { lowest: 0, highest } }] : [];
  });
}

/** One rise may lie on both sides of the beginning of a window; a second one not within the same. */
function twiceWithinAWindow(group: Group, stepped: ClockSteps): readonly Rise[] {
  const rises = risesOf(group);
  return rises.filter(({ from, to }, at) => {
    // None after this one was answered before this one was sent.
    let place = at - 1;
    while (place >= 0 && (rises[place] as Rise).to.entry.highMs >= from.entry.lowMs) place -= 1;
    const before = rises[place];
    if (before === undefined) return false;
    const fromMs = before.from.entry.lowMs;
    return to.entry.highMs - fromMs < windowMsAtLeast(group.windowMs) && !stepped(fromMs, to.entry.highMs);
  });
}

/** Each admission beside the last one before it that had certainly been answered when it was sent. */
function risesOf({ admitted }: Group): readonly Rise[] {
  const all = told(admitted);
  const byAnswer = all.toSorted((left, right) => left.entry.highMs - right.entry.highMs);
  let [next, last] = [0, undefined as ToldRemaining | undefined];
  return all.flatMap((to): readonly Rise[] => {
    while ((byAnswer[next]?.entry.highMs ?? Number.POSITIVE_INFINITY) < to.entry.lowMs) {
      last = byAnswer[next];
      next += 1;
    }
    if (last === undefined) return [];
    const highest = last.value - costOf(to.entry.exchange);
    return to.value > highest ? [{ from: last, to, highest }] : [];
  });
}

/**
 * 429s whose `Remaining` is more than what may have come back between the decision and the writing of the answer: of a
 * bucket a token or two; of a window that begins anew all of it, but not twice within one window. A request that costs more
 * than 1 may be refused while less than that is left.
 */
export function freeOnPromisedRefusals({ group, promise, attribution }: Analysis): readonly Misfit[] {
  const { windowMs, limited } = group;
  // Where requests are counted at other costs, more than they cost may be left and not be enough.
  const isBlamed = attribution.kind === 'blamed';
  const free = told(limited).filter(
    ({ entry, value }) => value >= costOf(entry.exchange) && !(isBlamed && costOf(entry.exchange) > 1),
  );
  const allowedOn = ({ exchange }: Entry) => ({ lowest: 0, highest: costOf(exchange) - 1 });
  switch (promise.kind) {
    case 'token-bucket':
      return free.flatMap(({ entry, value }) => {
        const back = Math.floor(comesBack(group, entry.highMs - entry.lowMs));
        const highest = costOf(entry.exchange) + back;
        return value > highest ? [{ entry, value, allowed: { lowest: 0, highest } }] : [];
      });
    case 'fixed':
    case 'unsaid':
      return free
        .filter(({ entry }, at) => {
          const before = free[at - 1]?.entry;
          const isAnother = before !== undefined && before.highMs < entry.lowMs;
          return isAnother && entry.highMs - before.lowMs < windowMsAtLeast(windowMs);
        })
        .map((one) => ({ ...one, allowed: allowedOn(one.entry) }));
    default:
      return [];
  }
}
