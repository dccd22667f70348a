import { timerMsMax } from '../../backoff/paced/process-clock.ts';
import { calmForMs } from '../../checks/calm.ts';
import { planRun } from '../../checks/plan.ts';
import { settledAfterMs } from '../../contract/bounds.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { limitsOf } from '../../contract/document/document.ts';
import { alignments, promiseKinds } from '../../contract/document/promise.ts';
import { greatestOf } from '../../contract/extremes.ts';
import { longestProbedMsIn } from '../../contract/trace-windows.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { deploymentOf, type ExpectedLimit } from './expected-limit.ts';

/** How often a deployment is looked at that a busy machine leaves undecided. */
export const attemptsUsual = 4;

/** What a machine that is busy adds to a look, ms. */
const busyMs = 5_000;

/**
 * The longest that so many looks at a limit take, ms, for the time-out of a test.
 * @param of the limit, or the length of its window alone, s: that of the limit that takes longest to look at. A bucket whose size is
 * not its limit has to be given itself.
 * @throws {UsageError} where there is no such limit, or its window or `attempts` is no number above 0.
 */
export function limitTestMs(of: number | ExpectedLimit, attempts: number = attemptsUsual): number {
  const windowSeconds = typeof of === 'object' && of !== null ? of.windowSeconds : of;
  for (const [name, value] of Object.entries({ windowSeconds, attempts })) {
    if (Number.isFinite(value) && value > 0) continue;
    throw new UsageError(`${name} must be a number above 0, as in limitTestMs(2), not ${String(value)}.`);
  }
  const limits = typeof of === 'number' ? longestIn(of) : [of];
  return greatestOf(limits.map((limit) => looksMs(deploymentOf(anywhere, limit).deployment, attempts)));
}

/** Where an app listens makes no difference to the time. */
const anywhere = { url: 'http://127.0.0.1/' };

/**
 * The limits of a window among which is the one that takes longest: of places that few, watched for longer, or refused as an outage
 * would refuse.
 */
function longestIn(windowSeconds: number): readonly ExpectedLimit[] {
  const aligned = alignments.map((one) => ({ kind: 'fixed', aligned: one }) as const);
  return [...promiseKinds, ...aligned].flatMap((promise) =>
    [1, 2].flatMap((limit) => [429, 503].map((status) => ({ limit, windowSeconds, promise, status }))),
  );
}

/**
 * The longest that so many looks at a deployment take, whole ms, and no more than a timer takes: each may wait until a key that is in use
 * is idle and for a calm moment, sends all that a run sends, watches for longer what counts too much, and is followed by a silence.
 */
export function looksMs(deployment: Deployment, attempts: number): number {
  const windowMs = deployment.windowSeconds * 1_000;
  const plan = planRun({
    ...{ deployment, limits: limitsOf(deployment.document), windowMs },
    ...{ mode: 'full', keys: deployment.keyEnv.length, unannounced: false },
  });
  const sendingMs = 1_000 * (plan.seconds + plan.watchSeconds + plan.tooMuchSeconds);
  const eachMs = sendingMs + calmForMs(windowMs, false) + 2 * silenceMs(deployment) + busyMs;
  return Math.min(timerMsMax, Math.ceil(attempts * eachMs));
}

/** How long nothing is sent between two looks, ms: then neither counts in the other, whatever limit it is, nor shuts it out. */
export function silenceMs(deployment: Deployment): number {
  const windowMs = deployment.windowSeconds * 1_000;
  const { waitSeconds = 0 } = deployment.document.refusal ?? {};
  return settledAfterMs(Math.max(longestProbedMsIn({ deployment, windowMs }), 1_000 * waitSeconds));
}
