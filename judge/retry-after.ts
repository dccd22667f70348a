import { type Announcing, secondsIn, unsureSecondsIn, type WaitPlace } from '../contract/announced-wait.ts';
import { bounds, waitIsOverMs } from '../contract/bounds.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import { type Document, refusesLikeOutage } from '../contract/document/document.ts';
import type { LimitPromise } from '../contract/document/further-limit.ts';
import { errorField } from '../contract/error-body.ts';
import { greatestOf } from '../contract/extremes.ts';
import { numberText } from '../contract/number-text.ts';
import { shown } from '../contract/shown-json.ts';
import { longestWaitMsIn, longestWindowMsIn } from '../contract/trace-windows.ts';
import { held, inconclusive, observed, type Verdict, violated } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import { type Announcement, type BrokenWait, brokenWait, fewMaxOf } from './broken-wait.ts';
import type { Case, Judge } from './case.ts';
import { attributed, blamedIn, concluded, inconclusiveBecause } from './conclude.ts';
import { countBelow } from './counting.ts';
import type { Entry, Group } from './entries.ts';
import { evidenceOf, type Flaw, secondsText } from './evidence.ts';
import { boundsAdmitted } from './intervals.ts';
import { once } from './once.ts';
import { isOneOutage } from './outages.ts';
import { explainedByOuter } from './outer.ts';
import { judgeField } from './refused-answers.ts';

/**
 * `error.retry-after`: an integer of at least 1. The document has no maximum. No reading of it needs more than a window
 * and a second, and what a service adds to spread its clients is of the same order: beyond two windows, and what the document
 * itself has a client wait, the figure is no wait in seconds, but milliseconds, a moment, or a constant.
 */
export const judgeRetryAfter: Judge = once((subject: Case): Verdict => {
  const most = longestWaitSeconds(subject);
  const expected = `an integer from 1 to ${most}`;
  return judgeField(subject, 'retry_after_seconds', expected, (seconds, exchange) => {
    const seen = `error.retry_after_seconds ${shown(seconds)}`;
    if (seconds === undefined) return { reason: 'absent', seen };
    if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return { reason: 'not-an-integer', seen };
    if (seconds < 1) return { reason: 'zero', seen };
    if (seconds > most) return { reason: 'too-long', seen };
    return writtenOtherwise(numberText(exchange, 'retry_after_seconds'));
  });
});

/** Beyond this a figure is no wait, s. */
export function longestWaitSeconds({ trace }: Case): number {
  const windowSeconds = Math.ceil(longestWindowMsIn(trace.header) / 1_000);
  const waitSeconds = Math.ceil(longestWaitMsIn(trace.header) / 1_000);
  return Math.max(2 * windowSeconds, waitSeconds + spareSeconds);
}

/** A parser that knows one kind of number cannot see it; one that reads integers fails (Go, Rust). */
function writtenOtherwise(text: string | null): Flaw | null {
  if (text === null || /^\d+$/.test(text)) return null;
  return { reason: 'not-an-integer', seen: `error.retry_after_seconds is written as ${text.slice(0, 40)}` };
}

/** A place may be held a second longer than its window by counting in whole seconds, and the wait be rounded up. */
const spareSeconds = 2;

/** `error.retry-after-length` */
export const judgeRetryAfterLength: Judge = (subject) => {
  if (judgeRetryAfter(subject).kind === 'violated') return inconclusiveBecause('error.retry-after');
  for (const { group } of subject.analyses) {
    const blamed = blamedIn(subject.analyses, group.scope);
    if (blamed !== null) return inconclusiveBecause(blamed);
  }
  const most = Math.ceil(longestWaitMsIn(subject.trace.header) / 1_000) + spareSeconds;
  return judgeField(subject, 'retry_after_seconds', `at most ${most}`, (seconds) =>
    typeof seconds === 'number' && seconds > most
      ? { reason: 'longer-than-needed', seen: `error.retry_after_seconds ${shown(seconds)}` }
      : null,
  );
};

/** `error.retry-after-header` (RFC 9110 §10.2.3) */
export const judgeRetryAfterHeader: Judge = ({ limited }) => {
  if (limited.length === 0) return inconclusive('no 429 was seen');
  const carrying = limited.filter(({ retryAfter }) => retryAfter !== null);
  if (carrying.length === 0) return observed('none');
  const agreeing = carrying.filter(
    (exchange) => errorField(exchange, 'retry_after_seconds') === Number(exchange.retryAfter),
  );
  return observed(`on ${carrying.length} of ${limited.length} 429s, ${agreeing.length} agree with the body`);
};

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

/** `error.retry-after-suffices` */
export const judgeRetryAfterSuffices: Judge = judgeSuffices({
  place: 'documented',
  name: 'retry_after_seconds',
  clause: 'error.retry-after-suffices',
  usable: { clause: 'error.retry-after', judge: judgeRetryAfter },
});

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
      .flatMap((entry) => announcementOf(entry, place, deployment))
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
  const shown = place === 'stated' ? announced.filter(afterAdmission(group)) : announced;
  const kept = shown.filter(
    ({ earliestMs, dueMs }) => countBelow(lows, earliestMs) < countBelow(lows, dueMs + bounds.granularityMs),
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

function announcementOf(entry: Entry, place: WaitPlace, announcing: Announcing): readonly Announcement[] {
  const seconds = secondsIn(place, entry.exchange, announcing);
  if (seconds === null) return [];
  const earliestMs = waitIsOverMs(entry.highMs, seconds);
  const unsure = unsureSecondsIn(place, entry.exchange, announcing);
  const dueMs = unsure === 0 ? earliestMs : waitIsOverMs(entry.highMs, seconds + unsure);
  return [{ entry, seconds, dueMs, earliestMs }];
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
