import { seconds } from '../../contract/quantities.ts';
import type { Endpoint } from './endpoint.ts';

/** What most identifications take, as multiples of the limit and of the window: measured over all known limiters. */
const usual = { requests: [2, 5], windows: [1, 4] } as const;

/**
 * What an identification will send at most, where, and what it takes as a rule, before anything is sent. Lines for
 * people.
 */
export function endpointPlan(endpoint: Endpoint): readonly string[] {
  const { shown, requestsMax, unlimitedAfter, spanMsMax, limit, windowMs } = endpoint;
  const { method, path } = shown.requests.standard ?? { method: '', path: '' };
  const refused = unlimitedAfter < requestsMax ? `, ${unlimitedAfter} if none of them is refused` : '';
  return [
    `target  ${method} ${shown.baseUrls[0]}${path}`,
    `plan    at most ${requestsMax} requests in ${seconds(spanMsMax, 0)}${refused}`,
    `        usually ${usualRequests(limit)}, in ${usualTime(windowMs)}`,
  ];
}

function usualRequests(limit: number | null): string {
  const [few, many] = usual.requests;
  return limit === null ? `${few} to ${many} times its limit` : `${few * limit} to ${many * limit} requests`;
}

function usualTime(windowMs: number | null): string {
  const [few, many] = usual.windows;
  return windowMs === null
    ? `${few} to ${many} times its window, and at least a minute`
    : `${seconds(few * windowMs, 0)} to ${seconds(many * windowMs, 0)}`;
}
