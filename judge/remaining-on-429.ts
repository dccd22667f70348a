import { isPromisedOn } from '../contract/document/headers.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf } from '../contract/extremes.ts';
import { howMany } from '../contract/quantities.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { held, inconclusive, violated } from '../contract/verdict.ts';
import type { Analysis } from './analysis.ts';
import type { Judge } from './case.ts';
import { inconclusiveBecause, isRolling } from './conclude.ts';
import type { Entry, Group } from './entries.ts';
import { evidenceOf } from './evidence.ts';
import type { Misfit } from './misfit.ts';
import { freeOnPromisedRefusals } from './promises/remaining.ts';
import { remainingBounds } from './remaining-bounds.ts';

/** `headers.remaining-on-429` */
export const judgeRemainingOn429: Judge = (subject) => {
  const { analyses, stepped, trace, headers, headersOf } = subject;
  const limited = subject.limited.filter((exchange) =>
    isPromisedOn('remaining', 'limited', headersOf(exchange)),
  );
  if (limited.length === 0) return inconclusive('no 429 was seen');
  if (limited.every((exchange) => exchange.headers.remaining === null))
    return inconclusiveBecause('headers.present');
  // Requests of the minute may remain on a 429 of a cap per second.
  const mayBeCapped = new Set(analyses.flatMap((analysis) => analysis.mayBeCapped));
  const carrying = limited.filter((exchange) => headerInteger(exchange, 'remaining') !== null);
  const judged = carrying.filter((exchange) => !mayBeCapped.has(exchange));
  if (carrying.length === 0)
    return inconclusive(`no 429 carries an integer ${headers.names.remaining} to judge`);
  if (judged.length === 0) {
    return inconclusive(
      'every 429 may come from a cap per second, which leaves requests of the minute (see perSecond)',
    );
  }
  const isAlone = trace.header.deployment.exclusiveKeys;
  const among = { isJudged: isAmong(judged), isAlone };
  const misfits = analyses.flatMap((analysis) => freeOnRefusals(analysis, among));
  const wrong = misfits.filter(({ entry, group }) => !stepped(group.entries[0]?.lowMs ?? 0, entry.highMs));
  const [first] = wrong;
  if (first === undefined) {
    return misfits.length > 0
      ? inconclusive('the clock of this machine jumped during the run: run it again')
      : held(heldText(judged));
  }
  const { value, allowed, group } = first;
  const { remaining: name } = headersOf(group).names;
  return violated(
    'not-zero',
    evidenceOf(
      allowed.highest === 0
        ? `${name} 0 on a 429`
        : `${name} from 0 to ${allowed.highest} on a 429 while places may come free`,
      `${value} (${wrong.length} of ${judged.length} 429s do not fit)`,
      wrong.map(({ entry }) => entry.exchange),
    ),
  );
};

function heldText(judged: readonly Exchange[]): string {
  const free = judged.filter((exchange) => headerInteger(exchange, 'remaining') !== 0).length;
  const written = `${free === 1 ? 'was' : 'were'} written when a place may have come free`;
  if (free === judged.length) return `${howMany(free, '429')} ${written}`;
  const zero = `0 on ${howMany(judged.length - free, '429')}`;
  return free === 0 ? zero : `${zero}; ${free} ${written}`;
}

/** Whether exchanges are among these: of many few are asked about, and none where all of them fit. */
function isAmong(exchanges: readonly Exchange[]): (exchange: Exchange) => boolean {
  let all: ReadonlySet<Exchange> | null = null;
  return (exchange) => {
    all ??= new Set(exchanges);
    return all.has(exchange);
  };
}

/**
 * 429s whose Remaining is more than what may have come free between the decision and the writing of the answer, under
 * every reading that is left. Both lie in the exchange's interval. Who alone uses a key knows from one window on all
 * that may leave it.
 */
function freeOnRefusals(
  analysis: Analysis,
  { isJudged, isAlone }: { readonly isJudged: (exchange: Exchange) => boolean; readonly isAlone: boolean },
): readonly (Misfit & { readonly group: Group })[] {
  const { group, readings } = analysis;
  if (!isRolling(analysis)) return freeOnPromisedRefusals(analysis).map((found) => ({ ...found, group }));
  const bounded = readings.map((reading) => remainingBounds(group, reading));
  const mostAt = (entry: Entry): number => {
    const known = isAlone && entry.lowMs >= group.settledMs;
    const most = bounded.map((boundsOf) => {
      const { highest, leaving } = boundsOf(entry);
      return known ? Math.min(highest, leaving) : highest;
    });
    return greatestOf(most);
  };
  return group.limited.flatMap((entry) => {
    const value = headerInteger(entry.exchange, 'remaining') ?? 0;
    const highest = mostAt(entry);
    if (value <= highest || !isJudged(entry.exchange)) return [];
    return [{ group, entry, value, allowed: { lowest: 0, highest } }];
  });
}
