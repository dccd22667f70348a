import type { IdentifiedGroup } from '../../contract/identification.ts';
import type { Report } from '../result.ts';
import { type Layout, labelled } from './layout.ts';

/** Which limiter the answers of each scope speak for. */
export function identifiedLines({ identified }: Report, layout: Layout): readonly string[] {
  if (identified.length === 0) return [];
  const lines = identified.flatMap((group) =>
    labelled(`${group.scope} ${group.key}`, limiterText(group), {
      columns: layout.columns,
      indent: 0,
      labelWidth: 10,
    }),
  );
  return ['', layout.paint('bold', 'Limiter found'), ...lines];
}

function limiterText(group: IdentifiedGroup): string {
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
