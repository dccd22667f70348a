import { isPromisedOn } from '../contract/document/headers.ts';
import { howMany } from '../contract/quantities.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { held, inconclusive, type Verdict, violated } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import type { Case } from './case.ts';
import { attributed, blamedIn, concluded, decisiveIn, inconclusiveBecause, isRolling } from './conclude.ts';
import type { Entry, Group } from './entries.ts';
import { evidenceOf } from './evidence.ts';
import { integerHeader } from './integer-header.ts';
import type { Reading } from './lengths.ts';
import type { Misfit } from './misfit.ts';
import { misfitsOfPromise } from './promises/remaining.ts';
import { remainingBounds } from './remaining-bounds.ts';

/** `headers.remaining` */
export const judgeRemaining = integerHeader('remaining', (_carrying, subject) => {
  const parts = subject.analyses.map((analysis) => {
    const blamed = blamedIn(subject.analyses, analysis.group.scope);
    if (blamed !== null) return inconclusiveBecause(blamed);
    // Under a cap the figure may be what remains of the second, not of the minute.
    const decisive = decisiveIn(subject.analyses, analysis);
    return attributed(decisive, 'headers.remaining', () => judgeGroup(subject, analysis));
  });
  return concluded(parts, `no admitted request carried ${subject.headers.names.remaining}`);
});

function judgeGroup({ stepped, trace, headersOf }: Case, analysis: Analysis): Verdict | null {
  const { group, readings, capStands } = analysis;
  const promise = headersOf(group);
  const name = promise.names.remaining ?? '';
  const judged = group.entries.filter(
    (entry) => isJudged(entry) && isPromisedOn('remaining', entry.exchange.outcome, promise),
  );
  if (judged.length === 0) return null;
  if (!isRolling(analysis)) {
    const found = misfitsOfPromise(analysis, { deployment: trace.header.deployment, stepped });
    const [first] = found;
    if (first !== undefined) return misfit(group, first, { all: found, name });
    return held(`${group.scope} ${howMany(judged.length, 'value')} of key ${group.key} below the limit`);
  }
  const tooLowIsJudged = trace.header.deployment.exclusiveKeys && !capStands;
  const tooLowFromMs = tooLowIsJudged ? group.settledMs : Number.POSITIVE_INFINITY;
  const byReading = readings.map((reading) => misfits(group, judged, reading, tooLowFromMs));
  if (byReading.some((found) => found.length === 0)) {
    return held(`${group.scope} ${howMany(judged.length, 'value')} of key ${group.key}`);
  }
  const fromMs = group.entries[0]?.lowMs ?? 0;
  const sound = byReading.map((found) => found.filter(({ entry }) => !stepped(fromMs, entry.highMs)));
  const best = sound.reduce((least, found) => (found.length < least.length ? found : least));
  const [worst] = best.toSorted((left, right) => distance(right) - distance(left));
  if (worst === undefined) {
    return inconclusive('the clock of this machine jumped during the run: run it again');
  }
  return misfit(group, worst, { all: best, name });
}

function isJudged({ exchange }: Entry): boolean {
  return (
    exchange.outcome !== 'limited' &&
    exchange.status !== null &&
    exchange.status < 500 &&
    exchange.headers.remaining !== null
  );
}

/**
 * Values that no moment of counting explains. Too high is wrong at once; too low only from `tooLowFromMs` on, since
 * requests made before the run lower it too.
 */
function misfits(
  group: Group,
  judged: readonly Entry[],
  reading: Reading,
  tooLowFromMs: number,
): readonly Misfit[] {
  const allowedAt = remainingBounds(group, reading);
  const found: Misfit[] = [];
  for (const entry of judged) {
    const value = headerInteger(entry.exchange, 'remaining') ?? 0;
    const allowed = allowedAt(entry);
    const fits = value <= allowed.highest && (value >= allowed.lowest || entry.lowMs < tooLowFromMs);
    if (!fits) found.push({ entry, value, allowed });
  }
  return found;
}

function distance({ value, allowed }: Misfit): number {
  return value > allowed.highest ? value - allowed.highest : allowed.lowest - value;
}

type Misfits = { readonly all: readonly Misfit[]; readonly name: string };

function misfit(group: Group, worst: Misfit, { all, name }: Misfits): Verdict {
  const { lowest, highest } = worst.allowed;
  return violated(
    worst.value > highest ? 'too-high' : 'too-low',
    evidenceOf(
      `${name} ${lowest === highest ? highest : `from ${lowest} to ${highest}`} at this moment`,
      `${worst.value} (${howMany(all.length, 'answer')} at ${group.scope} ${all.length === 1 ? 'does' : 'do'} not fit the count)`,
      [worst, ...all.filter((other) => other !== worst)].map(({ entry }) => entry.exchange),
    ),
  );
}
