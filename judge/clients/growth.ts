import { held, inconclusive, type Verdict, violated } from '../../contract/verdict.ts';
import { secondsText } from '../evidence.ts';
import { clientEvidence } from './evidence.ts';
import type { ClientRequest, Wait } from './requests.ts';
import { confidenceText, median, risingScore, shareInterval, slope } from './statistics.ts';
import { neverRefused, refusedOf } from './waits.ts';

/** From one wait to the next, doubling is 2 and a half more each time 1.5. */
const growthLeast = 1.3;

/** Growth below this is none: timers, jitter and a machine that was busy for a moment make as much of it. */
const growthNone = 1.15;

/** Standard deviations beyond which a rise is no chance, one-sided 99 %. */
const risingLeast = 2.326;

/**
 * `client.backoff-grows`: waits of one request after refusals that asked for the same, as a series. They grow where
 * series rise more than chance would have it and the median growth is a growth; they do not where most series grow by
 * less.
 */
export function judgeGrowth(requests: readonly ClientRequest[]): Verdict {
  const series = requests.map(seriesOf).filter((waits) => waits.length >= 2);
  if (series.length === 0) {
    if (requests.length > 0 && refusedOf(requests).length === 0) return neverRefused;
    return inconclusive(
      'no request was refused three times in a row, each time with the same retry_after_seconds: use the key that refuses for a while',
    );
  }
  const waitsMs = series.map((waits) => waits.map(({ waitedMs }) => Math.max(1, waitedMs)));
  const growths = waitsMs.map((values) => Math.exp(slope(values.map(Math.log))));
  const typical = median(growths);
  const text = `× ${typical.toFixed(2)} from wait to wait, over ${series.length} ${series.length === 1 ? 'request' : 'requests'}`;
  if (typical >= growthLeast && risingScore(waitsMs) >= risingLeast) return held(text);
  const grown = growths.filter((growth) => growth >= growthNone).length;
  if (shareInterval(grown, growths.length).high >= 0.5) return inconclusive(`${text}: too few to decide`);
  const [shown = []] = series.toSorted((a, b) => b.length - a.length);
  const waits = shown.map(({ waitedMs }) => secondsText(waitedMs)).join(', ');
  const evidence = clientEvidence(
    {
      expected: `waits that grow by ${Math.round((growthNone - 1) * 100)} % or more from one to the next`,
      observed: `${text} (${confidenceText}); one request waited ${waits}`.slice(0, 500),
      total: series.length - grown,
    },
    arrivalsOf(shown),
  );
  return violated('does-not-grow', evidence);
}

/** The longest run of waits of a request whose refusals asked for the same. */
function seriesOf({ waits }: ClientRequest): readonly Wait[] {
  let longest: readonly Wait[] = [];
  let run: Wait[] = [];
  for (const wait of waits) {
    const isSame = run.at(-1)?.refusal.retryAfterSeconds === wait.refusal.retryAfterSeconds;
    run = isSame ? [...run, wait] : [wait];
    if (run.length > longest.length) longest = run;
  }
  return longest;
}

function arrivalsOf(waits: readonly Wait[]) {
  const last = waits.at(-1);
  return [...waits.map(({ refusal }) => refusal), ...(last === undefined ? [] : [last.retry])];
}
