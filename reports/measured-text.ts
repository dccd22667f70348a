import type { IdentifiedGroup } from '../contract/identification.ts';
import type { GroupMeasure } from '../contract/judgement.ts';
import { limiterName } from '../contract/limiter-words.ts';
import { howMany, seconds } from '../contract/quantities.ts';
import { moreGroups } from './group-name.ts';
import type { Report } from './result.ts';

const notMeasured = 'not measured';

/** Lengths that a window may have, ms; an open end is infinite. */
type Interval = { readonly low: number; readonly high: number };

/**
 * A length that is known as an interval: its middle and its uncertainty, `60.005 s ± 0.015 s`. Where the uncertainty is
 * more than a tenth of the middle, the middle says little, and the ends are given instead.
 */
export function lengthText({ low, high }: Interval): string {
  if (!Number.isFinite(low) && !Number.isFinite(high)) return notMeasured;
  if (!Number.isFinite(low)) return `at most ${seconds(high)}`;
  if (!Number.isFinite(high)) return `at least ${seconds(low)}`;
  const middle = (low + high) / 2;
  const uncertainty = (high - low) / 2;
  return uncertainty <= middle / 10
    ? `${seconds(middle)} ± ${seconds(uncertainty)}`
    : `${seconds(low)} to ${seconds(high)}`;
}

/** The lengths of rolling window that explain the answers to one key and scope. */
export function windowText(window: GroupMeasure['windowMs']): string {
  if (window === null) return notMeasured;
  const low = window.low ?? Number.NEGATIVE_INFINITY;
  const high = window.high ?? Number.POSITIVE_INFINITY;
  return low > high ? 'no length explains the answers' : lengthText({ low, high });
}

/**
 * The same, and where no rolling window was measured: the window of the limiter that was found, or that nothing was refused,
 * from which nothing can be told.
 */
export function measuredWindowText(
  { scope, key, windowMs, limited }: Pick<GroupMeasure, 'scope' | 'key' | 'windowMs' | 'limited'>,
  identified: readonly IdentifiedGroup[],
): string {
  const text = windowText(windowMs);
  if (text !== notMeasured) return text;
  if (limited === 0) return 'never refused';
  const found = identified.find((one) => one.scope === scope && one.key === key);
  if (found === undefined || found.windowSeconds === null) return text;
  const lengths = found.tied.length > 0 ? found.tied.map((one) => one.windowSeconds) : [found.windowSeconds];
  return `${[...new Set(lengths.map(({ value }) => `${value} s`))].join(' or ')}, as found`;
}

/** What limiter was found, with its figures, in one phrase; of several that fit, each with its own. */
export function limiterText(group: IdentifiedGroup): string {
  const byRate = Map.groupBy(group.tied, ({ limit, windowSeconds }) => `${limit} in ${windowSeconds.value}`);
  const each = byRate.size > 0 ? [...byRate.values()] : [[group]];
  const found = each.map((alike) => alikeText(alike)).join('; or ');
  const cap = group.perSecondCap === null ? '' : `, at most ${group.perSecondCap} a second`;
  const shorter =
    group.shorterWindow === null || group.perSecondCap !== null
      ? ''
      : `, and ${group.shorterWindow.limit} in ${group.shorterWindow.windowSeconds} s`;
  const nearest =
    group.nearest === null
      ? ''
      : `; nearest ${limiterName(group.nearest.algorithm)}, contradicted ${howMany(group.contradictions, 'time')}`;
  return `${found}${cap}${shorter}${nearest}`;
}

/** That limiters were left out, and what shows them; `null` where none was. */
export function leftOutText({ identifiedLeftOut: count }: Pick<Report, 'identifiedLeftOut'>): string | null {
  return count === 0
    ? null
    : `Limiters were not looked for at ${moreGroups(count)}: conformance judge --identify TRACE names them all.`;
}

type Named = Pick<IdentifiedGroup, 'algorithm' | 'limit' | 'windowSeconds'>;

/** Limiters of one rate: their names, and the rate of the first. */
function alikeText(alike: readonly Named[]): string {
  const names = alike.flatMap(({ algorithm }) => algorithm).map(limiterName);
  const [first] = alike;
  const { limit = null, windowSeconds = null } = first ?? {};
  const rate = limit === null || windowSeconds === null ? '' : `, ${limit} in ${rateText(windowSeconds)}`;
  return `${names.join(' or ')}${rate}`;
}

/** The window and the lengths that it may have; these are left out where they are no narrower than the window is long. */
function rateText({ value, low, high }: NonNullable<Named['windowSeconds']>): string {
  if (high === null ? low < value / 2 : high - low >= value) return `${value} s`;
  return `${value} s (${low} s ${high === null ? 'or longer' : `to ${high} s`})`;
}
