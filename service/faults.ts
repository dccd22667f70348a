import type { ProbedMustClauseId } from '../contract/clauses/registry.ts';
import type { Complete } from '../contract/complete.ts';
import { rateLimitCode } from '../contract/error-body.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { ApiError, Behaviour } from './behaviour.ts';
import { accessFaults } from './faults/access.ts';
import { algorithmFaults } from './faults/algorithms.ts';
import { blockingFaults } from './faults/blocking.ts';
import { costFaults } from './faults/costs.ts';
import { countingFaults } from './faults/counting.ts';
import { countingVariants } from './faults/counting-variants.ts';
import { defeatDevices } from './faults/defeat-devices.ts';
import { errorBodyFaults } from './faults/error-bodies.ts';
import { errorFieldFaults } from './faults/error-fields.ts';
import { errorVariants } from './faults/error-variants.ts';
import type { Deviation, Fault, Variant } from './faults/fault.ts';
import { headerVariants } from './faults/header-variants.ts';
import { layerVariants } from './faults/layer-variants.ts';
import { limitHeaderFaults } from './faults/limit-header.ts';
import { overLimitFaults } from './faults/over-limit.ts';
import { presenceFaults } from './faults/presence.ts';
import { rateFaults } from './faults/rates.ts';
import { bodyVariants, refusalFaults, refusalVariants } from './faults/refusals.ts';
import { remainingFaults } from './faults/remaining.ts';
import { resetFaults } from './faults/reset.ts';
import { retryAfterFaults } from './faults/retry-after.ts';
import { routeFaults } from './faults/routes.ts';
import { sharingFaults } from './faults/sharing.ts';

const known = [
  ...rateFaults,
  ...algorithmFaults,
  ...countingFaults,
  ...sharingFaults,
  ...overLimitFaults,
  ...presenceFaults,
  ...limitHeaderFaults,
  ...remainingFaults,
  ...resetFaults,
  ...errorBodyFaults,
  ...errorFieldFaults,
  ...retryAfterFaults,
  ...accessFaults,
] as const;

type Proved = (typeof known)[number]['must'][number];

type Unproved = Exclude<ProbedMustClauseId, Proved>;

/** Every deviation that breaks a promise of the document, in its order. */
export const faults: Complete<readonly Fault[], `${Unproved}: no fault must violate it`> = known;

/** Every deviation that the document allows. */
export const variants: readonly Variant[] = [
  ...countingVariants,
  ...headerVariants,
  ...errorVariants,
  ...layerVariants,
];

/** Those about what only other documents than the messaging API's say. */
const onlyOfDocuments: readonly Deviation[] = [
  ...refusalFaults,
  ...bodyVariants,
  ...refusalVariants,
  ...costFaults,
  ...routeFaults,
  ...blockingFaults,
];

/** A fault, a variant or a defeat device by its name. */
export function findFault(name: string): Deviation | undefined {
  return [...faults, ...variants, ...defeatDevices, ...onlyOfDocuments].find(
    (deviation) => deviation.name === name,
  );
}

/**
 * The behaviour with all of these deviations, the later ones laid over the earlier.
 * @throws {UsageError} where one changes a body that errors do not have.
 */
export function withFaults(behaviour: Behaviour, chosen: readonly Deviation[]): Behaviour {
  return chosen.reduce((patched, { name, patch }) => {
    const deviating = patch(patched);
    try {
      for (const error of errorsToTry) deviating.errorBody(error);
    } catch {
      throw new UsageError(
        `The fault "${name}" changes a body that errors do not have here: the document promises none like it, or another fault took it away. Choose another one.`,
      );
    }
    return deviating;
  }, behaviour);
}

/** Whoever changes a body reads it first. */
const errorsToTry: readonly ApiError[] = [
  { status: 404, code: 'not_found', message: 'There is nothing here.' },
  { status: 429, code: rateLimitCode, message: 'Too many requests.', retryAfterSeconds: 1 },
];
