import { limiterText } from '../limiter-text.ts';
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
