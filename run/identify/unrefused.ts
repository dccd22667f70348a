import type { Exchange } from '../../contract/exchange.ts';
import { howMany } from '../../contract/quantities.ts';

/** Answers alike in a row after which an endpoint is taken to refuse in a way that nobody expected. */
const alikeMin = 40;

/**
 * The status that an endpoint gives to everything, after it had answered others well: it may be how it refuses. `null` while
 * there is no such status. What is known to be a refusal is none, however many there are in a row.
 */
export function suddenStatus(
  soFar: readonly Pick<Exchange, 'status' | 'outcome'>[],
  atLeast = alikeMin,
): number | null {
  const last = soFar.at(-1);
  const status = last?.status ?? null;
  if (status === null || status < 400 || last?.outcome === 'limited') return null;
  if (soFar.length < atLeast || !soFar.slice(-atLeast).every((one) => one.status === status)) return null;
  return soFar.some((one) => one.outcome === 'admitted' && one.status !== status) ? status : null;
}

type Asked = { readonly where: string; readonly refusedBy: readonly number[]; readonly hasKey: boolean };

/** Why nothing was refused, as far as the answers tell, and what to do. */
export function unrefusedText(soFar: readonly Exchange[], asked: Asked): string {
  const { where, refusedBy } = asked;
  return (
    statusText(soFar, asked, alikeMin) ??
    `${where} refused none of ${howMany(soFar.length, 'request')}. It may have no limit, a higher one (--requests), ` +
      `another key (--key-env), or refuse with another status than ${refusedBy.join(' or ')} (--refused-by).`
  );
}

/** A few answers alike say enough where the endpoint failed so often that nothing more was sent. */
const alikeWhereFailing = 5;

/** Why nothing more was sent to an endpoint that fails, and what to do. */
export function failingText(
  soFar: readonly Exchange[],
  { failures, ...asked }: Asked & { readonly failures: string },
): string {
  const text = statusText(soFar, asked, alikeWhereFailing) ?? `${asked.where} fails.`;
  return `${text} Nothing more was sent after ${failures}; --stop-after 0 goes on all the same.`;
}

/** What one status that everything is answered with may mean; `null` where there is none. */
function statusText(
  soFar: readonly Exchange[],
  { where, refusedBy, hasKey }: Asked,
  atLeast: number,
): string | null {
  const expected = refusedBy.join(' or ');
  const sudden = suddenStatus(soFar, atLeast);
  if (sudden !== null) {
    const good = soFar.findIndex(({ status }) => status === sudden);
    return (
      `${where} answered ${howMany(good, 'request')}, and then every one with ${sudden}, never with ${expected}. ` +
      `If that is how it refuses, say so: --refused-by ${sudden}.`
    );
  }
  const statuses = [...new Set(soFar.map(({ status }) => status))];
  const [only] = statuses;
  if (statuses.length === 1 && only !== null && only !== undefined && only >= 400) {
    const key = hasKey ? 'another key (--key-env, --header-env)' : 'a key (--key-env, --header-env)';
    return (
      `${where} answered all of ${soFar.length} requests with ${only}: it may need ${key}, another path or method, ` +
      `or refuse everything for now, and then by another status than ${expected} (--refused-by ${only}).`
    );
  }
  return null;
}
