import type { Identification } from '../../contract/identification.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { outcomes } from '../../contract/outcome.ts';
import { describe } from '../../judge/identify/describe.ts';
import { identify as identified } from '../../judge/identify/identify.ts';
import type { ObservedRequest } from '../../judge/identify/observations.ts';

/** What somebody expects of the limiter: it decides nothing, and helps to choose between equals. */
export type Expected = { readonly limit?: number | undefined; readonly windowMs?: number | undefined };

/**
 * Names the rate limiter behind the requests of one key, by who was admitted and who was limited alone. Pure; the same as
 * `conformance identify` says of what it sent.
 * @throws {RangeError} where there is no request.
 * @throws {TypeError} naming the first request that is none.
 */
export function identify(requests: readonly ObservedRequest[], expected: Expected = {}): Identification {
  checkRequests(requests);
  if (requests.length === 0) throw new RangeError('there is no request to tell a limiter by');
  const inOrder = requests.toSorted((one, other) => one.sentMs - other.sentMs);
  return describe(identified(inOrder, expected));
}

function checkRequests(requests: readonly unknown[]): void {
  if (!Array.isArray(requests)) {
    throw new TypeError(
      "identify takes a list of requests: [{ sentMs: 0, receivedMs: 12, outcome: 'admitted' }, …], as those of a trace are.",
    );
  }
  for (const [at, one] of requests.entries()) {
    const why = isJsonObject(one) ? flawOf(one) : 'is no object: it needs sentMs, receivedMs and outcome';
    if (why !== null) throw new TypeError(`request ${at} ${why}.`);
  }
}

function flawOf({ sentMs, receivedMs, outcome }: Readonly<Record<string, unknown>>): string | null {
  if (!Number.isFinite(sentMs)) return 'has no sentMs that is a number';
  if (receivedMs !== null && !Number.isFinite(receivedMs))
    return 'has no receivedMs that is a number, or null where no answer came';
  if (receivedMs !== null && Number(receivedMs) < Number(sentMs))
    return 'has a receivedMs before its sentMs: both have to be of one clock';
  return outcomes.some((known) => known === outcome)
    ? null
    : `has an outcome that is none of ${outcomes.join(', ')}`;
}
