import type { Deployment } from '../contract/deployment.ts';
import { perSecondOf, promiseIn } from '../contract/document/document.ts';
import { promisedHeaders } from '../contract/document/headers.ts';
import { headersIn } from '../contract/document/scope-headers.ts';
import type { Analysis, Attribution, Setting } from './analysis.ts';
import { type Blame, blame } from './blame.ts';
import { type Entry, type Group, straysOf } from './entries.ts';
import {
  acrossStep,
  type Fit,
  fitsOf,
  isExplained,
  judgedRefusals,
  lengthsOf,
  standingFits,
} from './fits.ts';
import { holdingOf, refusalsOfOwn } from './granularity.ts';
import { type Lengths, type Reading, readings } from './lengths.ts';
import { unlessOutage } from './outages.ts';
import { cappable, capsLeft } from './per-second-cap.ts';
import { placesLeft, placesLeftEvidence } from './places-left.ts';
import { analysePromised } from './promises/promised.ts';

export function analyse(group: Group, setting: Setting): Analysis {
  const analysed = (one: Group): Analysis => analysedAlone(one, setting);
  return unlessOutage(analysed(group), setting.deployment.document, analysed);
}

function analysedAlone(group: Group, setting: Setting): Analysis {
  const promise = promiseIn(setting.deployment.document, group.scope);
  if (promise.kind !== 'rolling') return analysePromised(group, promise, setting);
  const mayBeCapped = cappable(group, setting);
  const caps = capsLeft(group, setting);
  const isSoleUser = setting.deployment.exclusiveKeys;
  const refusals = isSoleUser ? refusalsOfOwn(group) : [];
  const standing = standingFits(group, refusals, setting.stepped);
  // A cap on top is one more reading of the document, unless a person has said that there is none.
  const uncapped = refusals.filter((refusal) => !mayBeCapped.has(refusal));
  const standingCapped =
    uncapped.length === refusals.length ? standing : standingFits(group, uncapped, setting.stepped);
  const left = standingCapped.length === 0 ? readings : standingCapped.map(({ reading }) => reading);
  const attribution = attribute(group, { standing, standingCapped, mayBeCapped }, setting);
  return {
    group,
    promise,
    attribution,
    readings: left,
    measured: isOfAnotherKind(attribution) ? null : measure(group, left),
    judgedRefusals: isSoleUser ? judgedRefusals(group).length : 0,
    isSoleUser,
    capStands: caps.length > 0,
    capsLeft: caps,
    mayBeCapped: Array.from(mayBeCapped, ({ exchange }) => exchange),
  };
}

type Standing = {
  readonly standing: readonly Fit[];
  readonly standingCapped: readonly Fit[];
  readonly mayBeCapped: ReadonlySet<Entry>;
};

function attribute(group: Group, found: Standing, setting: Setting): Attribution {
  const { standing, standingCapped, mayBeCapped } = found;
  if (standing.length > 0) {
    const contradiction = mayBeCapped.size > 0 ? null : contradicted(group, setting);
    return contradiction ?? explained(group, found, setting);
  }
  if (standingCapped.length > 0) return capped(group, setting.deployment);
  const refusals = setting.deployment.exclusiveKeys ? refusalsOfOwn(group) : [];
  return blame(group, fitsOf(group, refusals), setting);
}

/** What the count alone explains by earlier use of the key, the service's own Remaining may rule out. */
function contradicted(group: Group, setting: Setting): Blame | null {
  const { exclusiveKeys, document } = setting.deployment;
  const { names, on } = promisedHeaders(headersIn(document, group.scope));
  // A header of which nothing is promised may mean anything.
  if (!exclusiveKeys || names.remaining === null || on.remaining === 'limited') return null;
  const left = placesLeft(group, besideOf(setting));
  if (left === null || setting.stepped(left.answer.lowMs, left.refusal.highMs)) return null;
  const evidence = placesLeftEvidence(group, left, names.remaining);
  return { kind: 'blamed', clause: `limits.${group.scope}`, reason: 'refused-while-remaining', evidence };
}

/**
 * What else may have taken a place of a group: requests of groups that are not shown to be counted apart, and those of
 * its key to other paths than the one that stands for a scope, which may belong to another scope than ours say.
 */
function besideOf({ otherScopes, otherKeys, ofKey }: Setting): readonly Entry[] {
  return [
    ...otherScopes.flatMap(({ entries }) => entries),
    ...otherKeys.flatMap(({ entries }) => entries),
    ...ofKey.flatMap(straysOf),
  ];
}

function explained(group: Group, found: Standing, { stepped }: Setting): Attribution {
  const { standing, standingCapped, mayBeCapped } = found;
  if (!standing.some((fit) => isExplained(group, fit))) {
    return {
      kind: 'unsure',
      reason: 'the clock of this machine jumped during the run: run it again',
    };
  }
  // What explains all refusals explains those alike that no cap may have caused: these alone decide.
  const isGranular = standingCapped.every(({ holding }) => holding === 'in-parts');
  if (!isGranular) return { kind: 'explained', granularity: 'none' };
  const clear = refusalsOfOwn(group).filter(
    (refusal) => !mayBeCapped.has(refusal) && !acrossStep([refusal], group, stepped),
  );
  const isShown = standingCapped.every(({ reading }) => holdingOf(group, reading, clear) === 'in-parts');
  return { kind: 'explained', granularity: isShown ? 'shown' : 'across-step' };
}

/** A violation of anything but the length: then no length of rolling window says what was seen. */
function isOfAnotherKind(attribution: Attribution): boolean {
  return attribution.kind === 'blamed' && attribution.clause !== 'window.length';
}

/** The window as measured: by all refusals where those agree with the admissions, else by those of our own making. */
function measure(group: Group, left: readonly Reading[]): Lengths | null {
  for (const refusals of [group.limited, refusalsOfOwn(group)]) {
    for (const reading of left) {
      const lengths = lengthsOf(group, reading, refusals);
      if (lengths.lowMs > lengths.highMs) continue;
      return lengths.lowMs === 0 && lengths.highMs === Number.POSITIVE_INFINITY ? null : lengths;
    }
  }
  return null;
}

function capped({ scope }: Group, deployment: Deployment): Attribution {
  const perSecond = perSecondOf(deployment.document, scope) ?? 0;
  if (deployment.perSecond === 'cap') return { kind: 'capped', perSecond };
  return {
    kind: 'unsure',
    reason:
      `all 429s below the minute’s limit fit a cap of ${perSecond} per second: ` +
      `set perSecond to 'cap' if this deployment has one, else to 'average'`,
  };
}
