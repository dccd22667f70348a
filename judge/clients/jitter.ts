import { held, inconclusive, type Verdict, violated } from '../../contract/verdict.ts';
import { secondsText } from '../evidence.ts';
import { clientEvidence } from './evidence.ts';
import type { ClientRequest, Wait } from './requests.ts';
import { confidenceText, shareInterval } from './statistics.ts';
import { noRetries } from './waits.ts';

/** Waits that are this close count as the same: timers and a busy machine alone make such a difference. */
const sameMs = 20;
const sameShare = 0.02;

/** Most pairs are the same, or most are not. */
const mostShare = 0.5;

/**
 * `client.jitter`: waits after the same attempt with the same retry_after_seconds, in pairs that share none, so that
 * each pair says something by itself.
 */
export function judgeJitter(requests: readonly ClientRequest[]): Verdict {
  const pairs = [...alike(requests).values()].flatMap(pairsOf);
  if (pairs.length === 0) {
    const refused = noRetries(requests);
    return requests.some(({ waits }) => waits.length > 0)
      ? inconclusive(
          'no two requests were refused at the same attempt with the same retry_after_seconds: too few to decide',
        )
      : refused;
  }
  const same = pairs.filter(isSame);
  const { low, high } = shareInterval(same.length, pairs.length);
  const text = `${same.length} of ${pairs.length} pairs of waits within ${sameMs} ms or ${sameShare * 100} %`;
  if (high < mostShare) return held(`${text} (${confidenceText})`);
  const [shown] = same;
  if (low <= mostShare || shown === undefined) return inconclusive(`${text}: too few to decide`);
  const [one, other] = shown;
  const evidence = clientEvidence(
    {
      expected: 'waits that differ by chance: most pairs by more than that',
      observed: `${text} (${confidenceText}); two waited ${secondsText(one.waitedMs)} and ${secondsText(other.waitedMs)}`,
      total: same.length,
    },
    shown.flatMap(({ refusal, retry }) => [refusal, retry]),
  );
  return violated('no-jitter', evidence);
}

/** Waits by what led to them: key, attempt, and what the 429 asked for. */
function alike(requests: readonly ClientRequest[]): ReadonlyMap<string, readonly Wait[]> {
  const groups = new Map<string, Wait[]>();
  for (const { key, waits } of requests) {
    waits.forEach((wait, attempt) => {
      const name = JSON.stringify([key, attempt, wait.refusal.retryAfterSeconds]);
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [wait]);
      else group.push(wait);
    });
  }
  return groups;
}

function pairsOf(waits: readonly Wait[]): readonly (readonly [Wait, Wait])[] {
  return waits.flatMap((wait, at) => {
    const next = waits[at + 1];
    return at % 2 === 0 && next !== undefined ? [[wait, next] as const] : [];
  });
}

function isSame([one, other]: readonly [Wait, Wait]): boolean {
  const apartMs = Math.min(Math.abs(one.waitedMs - other.waitedMs), apartBeyond(one, other));
  return apartMs <= Math.max(sameMs, sameShare * Math.min(one.waitedMs, other.waitedMs));
}

/** How far apart two retries came after the moments that their 429s named, ms; where they named none, infinitely far. */
function apartBeyond(one: Wait, other: Wait): number {
  const [from, to] = [one.refusal.untilMs, other.refusal.untilMs];
  if (from === undefined || to === undefined) return Number.POSITIVE_INFINITY;
  return Math.abs(one.retry.arrivedMs - from - (other.retry.arrivedMs - to));
}
