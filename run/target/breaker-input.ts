import type { DeploymentInput } from '../../contract/deployment.ts';

type BreakerInput = NonNullable<DeploymentInput['breaker']>;

/** What a flag says of the breaker: how many failures in a row end a run; with 0 it goes on however much fails. */
export function breakerInput(stopAfter: number | undefined): BreakerInput {
  if (stopAfter === undefined) return {};
  return stopAfter === 0 ? { failuresInARow: 0, failureShare: 1 } : { failuresInARow: stopAfter };
}
