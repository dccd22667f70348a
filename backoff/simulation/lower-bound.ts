import { roundTripMsMin } from './network.ts';
import { instantMs, jobsOf, openedLimiter, type Setting } from './setting.ts';

/**
 * No strategy can be done sooner, ms: each job is decided as soon as the limiter would admit it, by somebody who knows
 * all that the limiter knows and is never refused; then the answer has to come back. From an empty log this is
 * `(⌈jobs / limit⌉ − 1) · window` and a round trip. A client that sends one request at a time needs a round trip for each job.
 */
export function lowerBoundMs(setting: Setting): number {
  const { limiter, jobs, startMs, network } = setting;
  const state = openedLimiter(setting);
  let nowMs = earliestMs(setting);
  let waitMs = 0;
  for (let admitted = 0; admitted < jobs; admitted += 1) {
    nowMs += waitMs;
    let decision = limiter.decide(state, nowMs);
    // Where moments round, the first at which it is admitted may be the next there is.
    for (let tries = 0; !decision.admitted && tries < triesMax; tries += 1) {
      nowMs += Math.max(decision.retryAfterMs, instantMs);
      decision = limiter.decide(state, nowMs);
    }
    waitMs = decision.retryAfterMs;
  }
  const oneByOneMs = jobsOf(setting, 0) * roundTripMsMin(network);
  return Math.max(nowMs - startMs + roundTripMsMin(network), oneByOneMs);
}

const triesMax = 100;

/** When the first can be admitted; asked of a copy, for asking may count. */
function earliestMs(setting: Setting): number {
  const { limiter, startMs } = setting;
  const decision = limiter.decide(openedLimiter(setting), startMs);
  return decision.admitted ? startMs : startMs + decision.retryAfterMs;
}
