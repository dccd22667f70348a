import type { Identification } from '../../contract/identification.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { describe } from '../../judge/identify/describe.ts';
import { identify as identified } from '../../judge/identify/identify.ts';

/** One request of one key to one endpoint, as any client of any HTTP service can see it. */
export type ObservedRequest = {
  /** When it was sent, ms by any one clock. */
  readonly sentMs: number;
  /** When its answer had come, ms by the same clock; `null` where none came. */
  readonly receivedMs: number | null;
  /**
   * `admitted`: served; `limited`: refused by the limiter; `refused`: failed in another way, so that it may have counted;
   * `indeterminate`: no answer.
   */
  readonly outcome: Outcome;
};

/** What somebody expects of the limiter: it decides nothing, and helps to choose between equals. */
export type Expected = { readonly limit?: number | undefined; readonly windowMs?: number | undefined };

/**
 * Names the rate limiter behind the requests of one key, by who was admitted and who was limited alone. Pure; the same as
 * `conformance identify` says of what it sent.
 * @throws {RangeError} where there is no request.
 */
export function identify(requests: readonly ObservedRequest[], expected: Expected = {}): Identification {
  if (requests.length === 0) throw new RangeError('there is no request to tell a limiter by');
  const inOrder = requests.toSorted((one, other) => one.sentMs - other.sentMs);
  return describe(identified(inOrder, expected));
}
