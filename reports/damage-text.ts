import { milliseconds, seconds } from '../contract/quantities.ts';
import type { ClauseResult } from './clause-result.ts';

/** The worst of a violation of the count; `null` where there is no more than its proof shows. */
export function damageText({ verdict }: ClauseResult): string | null {
  const damage = verdict.kind === 'violated' ? verdict.evidence.damage : undefined;
  if (damage === undefined) return null;
  const { limit } = damage;
  if (damage.kind === 'admitted') {
    const { most, withinMs } = damage;
    const within = withinMs < 1_000 ? milliseconds(withinMs) : seconds(withinMs, 1);
    return `${most} admitted within ${within}, ${excessText(most, limit)}`;
  }
  const { refusals, fewestBefore } = damage;
  const requests = refusals === 1 ? '1 request' : `${refusals} requests`;
  return `${requests} refused that had room; one of them with at most ${fewestBefore} of ${limit} places taken`;
}

function excessText(most: number, limit: number): string {
  const factor = most / limit;
  return factor < 1.1 ? `${most - limit} more than the limit` : `${factor.toFixed(1)} × the limit`;
}
