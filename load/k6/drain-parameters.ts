import type { TodaysName } from '../../backoff/strategies.ts';
import type { FamilyName } from '../../backoff/tuning/families.ts';

/** Which strategy the clients follow: one of a family with its parameters, or what people do today. */
export type DrainStrategy =
  | {
      readonly kind: 'family';
      readonly name: FamilyName;
      readonly parameters: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'today'; readonly name: TodaysName; readonly isIdempotent: boolean };

/** Everything that the script has to know; the runner fills it in. */
export type DrainParameters = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly runId: string;
  readonly strategy: DrainStrategy;
  readonly limit: number;
  readonly windowMs: number;
  readonly clients: number;
  readonly processes: number;
  readonly jobs: number;
  readonly timeoutMs: number;
  /** The script ends after this long, whatever is left. */
  readonly forMs: number;
};

export const drainVariable = 'CONFORMANCE_DRAIN';

/**
 * The parameters from the variable that holds them. The runner made them, and checked what they came from.
 * @throws where the variable is not set.
 */
export function readDrainParameters(env: Readonly<Record<string, string | undefined>>): DrainParameters {
  const text = env[drainVariable];
  if (text === undefined)
    throw new Error(`${drainVariable} is not set: start this with "conformance tune --verify"`);
  return JSON.parse(text) as DrainParameters;
}
