import { type Announcing, secondsIn, unsureSecondsIn, type WaitPlace } from '../contract/announced-wait.ts';
import { bounds, waitIsOverMs } from '../contract/bounds.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import { type Document, refusesLikeOutage } from '../contract/document/document.ts';
import type { LimitPromise } from '../contract/document/further-limit.ts';
import { greatestOf } from '../contract/extremes.ts';
import { held, inconclusive, type Verdict, violated } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import { type Announcement, type BrokenWait, brokenWait, fewMaxOf } from './broken-wait.ts';
import type { Case, Judge } from './case.ts';
import { attributed, blamedIn, concluded, inconclusiveBecause } from './conclude.ts';
import { countingAlong } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { evidenceOf, secondsText } from './evidence.ts';
import { boundsAdmitted } from './intervals.ts';
import { isOneOutage } from './outages.ts';
import { explainedByOuter } from './outer.ts';

/** A place in refusals that says how long to wait, and the clauses about it. */
type Figure = {
  readonly place: WaitPlace;
  /** What sentences call it. */
  readonly name: string;
  /** That waiting so long is enough. */
  readonly clause: ClauseId;
  /** That it is a wait at all; left out where the document says how long. */
  readonly usable?: { readonly clause: ClauseId; readonly judge: Judge };
};

/** Whether waiting as long as a figure says is enough. */
export function judgeSuffices({ place, name, clause, usable }: Figure): Judge {
  return (subject) => {
    if (usable?.judge(subject).kind === 'violated') return inconclusiveBecause(usable.clause);
    const parts = subject.analyses.map((analysis) => {
      const blamed = blamedIn(subject.analyses, analysis.group.scope);
      if (blamed !== null) return inconclusiveBecause(blamed);
      return attributed(analysis, clause, () => judgeGroup(subject, analysis, place));
    });
    return concluded(parts, `nothing was admitted within a second after a ${name} was over`);
  };
}

function judgeGroup(
  { stepped, trace }: Case,
  { group: own, readings, promise }: Analysis,
  place: WaitPlace,
): Verdict | null {
  const group = explainedByOuter(own);
  const { deployment } = trace.header;
  const { document } = deployment;
  const announcedIn = ({ limited }: Group): readonly Announcement[] =>
    limited
      .map((entry) => announcementOf(entry, place, deployment))
      .filter((announcement) => announcement !== null)
      .sort((left, right) => left.dueMs - right.dueMs);
  const announced = announcedIn(group);
  const fewMax = fewMaxOf(group, promise, document);
  const broken = (isOfAllLimits(promise, place, document) ? readings : []).map((reading) =>
    brokenWait({ group, announced, reading, stepped, fewMax }),
  );
  const [first] = broken;
  if (first && broken.every((found) => found !== null)) {
    if (!deployment.exclusiveKeys) return inconclusive('others may use the key too (exclusiveKeys: false)');
    const isOutage = refusesLikeOutage(document)
      ? isOneOutage(group, (other) => {
          const left = announcedIn(other);
          return readings.some(
            (reading) => brokenWait({ group: other, announced: left, reading, stepped, fewMax }) === null,
          );
        })
      : false;
    return isOutage
      ? inconclusive('one outage explains the refusal after the wait as well. Run it again')
      : insufficient(first);
  }
  const { lows } = boundsAdmitted(group.entries);
  const [early, late] = [countingAlong(lows), countingAlong(lows)];
  const shown = place === 'stated' ? announced.filter(afterAdmission(group)) : announced;
  const kept = shown.filter(
    ({ earliestMs, dueMs }) => early.below(earliestMs) < late.below(dueMs + bounds.granularityMs),
  );
  if (kept.length === 0) return null;
  // Of a wait that was told as a moment, what was left until then.
  const longest = Number(greatestOf(kept.map(({ seconds }) => seconds)).toFixed(3));
  const after =
    place === 'stated' ? `${longest} s after a 429` : `after the ${longest} s that a 429 asked for`;
  return held(`${group.scope} admitted ${after}`);
}

/**
 * Whether a wait is enough for each limit of a scope. Of several limits one may say when its own place is back, and another one
 * refuse then; what the document states is meant of all of them, unless one has a longer window.
 */
function isOfAllLimits(
  promise: LimitPromise,
  place: WaitPlace,
  { refusal }: Pick<Document, 'refusal'>,
): boolean {
  if (promise.kind !== 'several' || promise.parts.length === 1) return true;
  const { waitSeconds = 0 } = refusal ?? {};
  return place === 'stated' && promise.parts.every(({ seconds }) => seconds <= waitSeconds);
}

/** Those of refusals that came within a second after something was admitted: later ones say nothing of how long it takes from the first. */
function afterAdmission({ entries }: Group): (announcement: Announcement) => boolean {
  const firsts = new Set<Entry>();
  let firstMs: number | null = null;
  for (const entry of entries) {
    const { outcome } = entry.exchange;
    if (outcome === 'admitted') firstMs = null;
    else firstMs ??= entry.lowMs;
    if (firstMs !== null && entry.lowMs <= firstMs + bounds.granularityMs) firsts.add(entry);
  }
  return ({ entry }) => firsts.has(entry);
}

/** What a refusal says of the wait; `null` where it says nothing. */
function announcementOf(entry: Entry, place: WaitPlace, announcing: Announcing): Announcement | null {
  const seconds = secondsIn(place, entry.exchange, announcing);
  if (seconds === null) return null;
  const earliestMs = waitIsOverMs(entry.highMs, seconds);
  const unsure = unsureSecondsIn(place, entry.exchange, announcing);
  const dueMs = unsure === 0 ? earliestMs : waitIsOverMs(entry.highMs, seconds + unsure);
  return { entry, seconds, dueMs, earliestMs };
}

function insufficient({ announcement, again }: BrokenWait): Verdict {
  const waitedMs = again.lowMs - announcement.entry.highMs;
  return violated(
    'second-429',
    evidenceOf(
      `admitted once ${announcement.seconds} s have passed since the 429`,
      `another 429 for key ${again.exchange.key} at ${again.exchange.scope} after ${secondsText(waitedMs)}, with nothing admitted in between`,
      [announcement.entry.exchange, again.exchange],
    ),
  );
}
