import type { Analysis } from './analysis.ts';
import { bySent, type Group } from './entries.ts';

/**
 * A 429 is not blamed on its own scope where requests of its key to paths that another scope answers for explain it, once
 * those are shown to be counted apart from that scope: they may be counted here instead, and the clause that they violate
 * says so already.
 */
export function withSubpathsElsewhere(
  analyses: readonly Analysis[],
  analysed: (group: Group) => Analysis,
): readonly Analysis[] {
  const apart = analyses.filter(
    ({ attribution }) => attribution.kind === 'blamed' && attribution.reason === 'counted-apart',
  );
  return analyses.map((analysis) => {
    const { group, attribution } = analysis;
    const subpaths = apart
      .filter((one) => one.group.key === group.key)
      .flatMap(({ group: { entries } }) => entries.filter(({ exchange }) => exchange.route === 'subpath'));
    if (subpaths.length === 0 || attribution.kind !== 'blamed') return analysis;
    const explaining = [...group.explaining, ...subpaths].sort(bySent);
    return analysed({ ...group, explaining }).attribution.kind === 'blamed'
      ? analysis
      : { ...analysis, attribution: { kind: 'follows', clause: 'limits.messages-subpaths' } };
  });
}
