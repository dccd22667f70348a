import type { LimitClauseId } from '../contract/clauses/limits.ts';
import { limitIdOf, limitIdOfPart } from '../contract/clauses/promised-limit.ts';
import type { ClauseId } from '../contract/clauses/registry.ts';
import { probedWindowMsMax } from '../contract/document/further-limit.ts';
import { keptFrom } from '../contract/document/unreached.ts';
import { hours, howMany } from '../contract/quantities.ts';
import type { MessagingScope, Scope } from '../contract/scopes.ts';
import { held, inconclusive, notApplicable, notRun, type Verdict, violated } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import type { Case, Judge } from './case.ts';
import { attributed, concluded, needsSecondKey } from './conclude.ts';
import { isProbed } from './entries.ts';
import { secondsText } from './evidence.ts';
import { heldIfKnown, useByOthers, wasFullTwice, watchedText } from './known-window.ts';
import { judgePerSecond, judgeRejectionsCount } from './observed-limits.ts';
import { wasGrantedTwice } from './promises/granted-twice.ts';
import { ofPart } from './promises/of-part.ts';
import { partWindowMs } from './promises/several.ts';
import type { Apart } from './sharing.ts';
import { judgeGranularity, judgeLength, judgeRolling } from './window.ts';

/**
 * `limits.standard`, `limits.messages`, `limits.media`, and those of other documents: exactly the limit passes.
 * @param name of one limit of several; `null` of the first, or of the only one.
 */
export function judgeLimit(scope: Scope, name: string | null): Judge {
  return ({ analyses, trace }) => {
    const { deployment } = trace.header;
    const parts = analyses
      .filter((analysis) => analysis.group.scope === scope && isProbed(analysis.group))
      .map((analysis) =>
        attributed(analysis, limitIdOf(scope, name), () =>
          analysis.promise.kind === 'rolling'
            ? heldRolling(analysis)
            : heldPromise(ofPart(analysis, name, deployment)),
        ),
      );
    const verdict = concluded(parts, `the limit of ${scope} was not reached twice, one window apart`);
    const isOpen = verdict.kind === 'inconclusive' && verdict.because.length === 0;
    const seen = analyses.find(({ group }) => group.scope === scope);
    return isOpen && seen !== undefined
      ? (unreached(name, seen) ?? underLongerWindows(verdict, ofPart(seen, name, deployment), seen))
      : verdict;
  };
}

/** Of a limit that another one keeps from being reached. */
function unreached(name: string | null, { promise, group }: Analysis): Verdict | null {
  const parts = promise.kind === 'several' ? promise.parts : [];
  const part = parts.find((one) => one.name === name);
  const other = part === undefined ? null : keptFrom(part, parts);
  return other === null
    ? null
    : notApplicable(
        `not probed: ${limitIdOfPart(group.scope, other)} keeps it from being reached; more than it would still be seen`,
      );
}

/** Why a limit stays open where a window of its scope is longer than any run. */
function underLongerWindows(open: Verdict, { group: { windowMs } }: Analysis, whole: Analysis): Verdict {
  if (windowMs > probedWindowMsMax)
    return notApplicable(
      `not probed: no run takes as long as a window of ${hours(windowMs)}; more than its limit would still be seen`,
    );
  const { promise, group } = whole;
  if (promise.kind !== 'several' || open.kind !== 'inconclusive') return open;
  const longer = promise.parts.find(
    (part) => partWindowMs(group.windowMs, part, promise.parts) > probedWindowMsMax,
  );
  return longer === undefined
    ? open
    : inconclusive(
        `${open.reason}; a 429 below it may be of ${limitIdOfPart(group.scope, longer)}, by use of the key before the run: ` +
          'take a key that was not used',
      );
}

/** `limits.messages-subpaths` */
const judgeSubpaths: Judge = ({ analyses, trace }) => {
  const parts = analyses
    .filter(({ group }) => group.scope === 'messages')
    .map((analysis) => attributed(analysis, 'limits.messages-subpaths', () => heldSubpaths(analysis)));
  const isConfigured = trace.header.deployment.requests.messagesSubpath !== undefined;
  if (!isConfigured && parts.every((part) => part === null))
    return notRun('set requests.messagesSubpath to a request below /v1/messages that is answered 2xx');
  return concluded(parts, 'no request below /v1/messages met a full window');
};

/** `limits.per-key` */
const judgePerKey: Judge = (subject) => {
  if (subject.trace.header.keys.length < 2) return needsSecondKey;
  return judgeApart(subject, 'limits.per-key', subject.keysApart);
};

/** `limits.shared`, of documents that count all keys of an account, or of an address, together. */
export const judgeShared: Judge = ({ countedTogether }) =>
  countedTogether ?? inconclusive('the document counts by key');

/** `limits.per-scope` */
const judgePerScope: Judge = (subject) => judgeApart(subject, 'limits.per-scope', subject.scopesApart);

function judgeApart({ analyses }: Case, clause: ClauseId, apart: Apart | null): Verdict {
  for (const { attribution } of analyses) {
    if (attribution.kind === 'blamed' && attribution.clause === clause) {
      return violated(attribution.reason, attribution.evidence);
    }
  }
  if (apart === null)
    return inconclusive('no request was admitted at a moment when one shared count would have refused it');
  const { scope, key } = apart.by.exchange;
  return held(
    `key ${key} admitted at ${scope} when one shared window would already have held ${howMany(apart.countedBefore, 'request')}`,
  );
}

function heldRolling(analysis: Analysis): Verdict | null {
  const { limit, windowMs, entries } = analysis.group;
  return heldIfKnown(analysis, ({ highMs }) => {
    const heldMs = Math.min(highMs, windowMs);
    return `${limit} admitted, then 429s, twice; ${limit + 1} never within ${secondsText(heldMs)}; ${watchedText(entries)}`;
  });
}

/** Both ways were tried: the limit was met, and a window later it was met again. A guarantee need not be met: it is given. */
function heldPromise(analysis: Analysis): Verdict | null {
  const { group, isSoleUser, promise } = analysis;
  const { limit, entries, admitted, limited, key, scope } = group;
  if (!isSoleUser && limited.length > 0) return useByOthers(group);
  if (promise.kind === 'at-least' && wasGrantedTwice(group))
    return held(
      `key ${key} was never refused at ${scope}: ${admitted.length} admitted, ${limit} within one window twice; ${watchedText(entries)}`,
    );
  if (!wasFullTwice(analysis)) return null;
  return held(
    `what key ${key} did at ${scope} is explained: ${admitted.length} admitted, ${howMany(limited.length, '429')}, met at ${limit} twice; ${watchedText(entries)}`,
  );
}

function heldSubpaths({ group }: Analysis): Verdict | null {
  const below = group.entries.filter((entry) => entry.exchange.route === 'subpath');
  const before = below.findIndex((entry) => entry.exchange.outcome === 'limited');
  if (before === -1 || below.length >= group.limit) return null;
  return held(
    `a path below /v1/messages got a 429 after ${howMany(before, 'request')} of its own: it shares the window`,
  );
}

/** Clauses about limits that are not about one scope. */
type OfNoScope = Exclude<LimitClauseId, `limits.${MessagingScope}`>;

/** The judge of each clause of `contract/clauses/limits.ts` but those of one scope, which `judgeLimit` judges. */
export const limitJudges: Readonly<Record<OfNoScope, Judge>> = {
  'limits.messages-subpaths': judgeSubpaths,
  'limits.per-key': judgePerKey,
  'limits.per-scope': judgePerScope,
  'limits.per-second': judgePerSecond,
  'limits.rejections-count': judgeRejectionsCount,
  'window.rolling': judgeRolling,
  'window.length': judgeLength,
  'window.granularity': judgeGranularity,
};
