import type { IdentifiedGroup } from '../contract/identification.ts';

/** What limiter was found, with its figures, in one phrase. */
export function limiterText(group: IdentifiedGroup): string {
  const names = typeof group.algorithm === 'string' ? group.algorithm : group.algorithm.join(' or ');
  const rate =
    group.limit === null || group.windowSeconds === null ? '' : `, ${group.limit} in ${rateText(group)}`;
  const cap = group.perSecondCap === null ? '' : `, at most ${group.perSecondCap} a second`;
  const nearest =
    group.nearest === null
      ? ''
      : `; nearest ${group.nearest.algorithm}, contradicted ${group.contradictions} times`;
  return `${names}${rate}${cap}${nearest}`;
}

function rateText({ windowSeconds }: IdentifiedGroup): string {
  if (windowSeconds === null) return '';
  const { value, low, high } = windowSeconds;
  return `${value} s (${low}–${high ?? '…'})`;
}
