import type { Exchange } from './exchange.ts';
import type { BegunLine } from './sent.ts';

/** How a scenario of the load suite ended; `requestsSent` by k6's own count. */
type Ended = {
  readonly scenario: string;
  readonly state: 'complete' | 'incomplete' | 'not-run';
  readonly requestsSent: number | null;
};

/** What a trace says of the requests that were sent. */
export type Accounts = {
  readonly exchanges: readonly Exchange[];
  /** Ids of requests that were announced. */
  readonly announced: () => Pick<ReadonlySet<string>, 'has'>;
  readonly begun: readonly BegunLine[];
  readonly loads: readonly Ended[];
  /** Whether the trace has its last line. */
  readonly isWhole: boolean;
};

/**
 * Why requests may have been sent of which a trace knows nothing; `null` where it knows all. They may have taken any
 * place in a window, so such a trace cannot prove that too few were counted; what it knows may still be too many.
 */
export function whyUnknownRequests(accounts: Accounts): string | null {
  const lost = accounts.loads.find((line) => lostRequests(line, accounts));
  if (lost !== undefined)
    return `k6 did not run to its end in the load scenario ${lost.scenario}, so requests of it may be unknown`;
  if (accounts.isWhole) return null;
  const ended = new Set(accounts.loads.map(({ scenario }) => scenario));
  const open = scenariosIn(accounts).find((scenario) => !ended.has(scenario));
  if (open !== undefined)
    return `the run died during the load scenario ${open}, so requests of it may be unknown`;
  const announced = accounts.announced();
  const isAnnounced = ({ driver, requestId }: Exchange): boolean =>
    driver === 'k6' || announced.has(requestId);
  return accounts.exchanges.every(isAnnounced)
    ? null
    : 'the trace has no last line and does not say what was in flight when the run died';
}

/** Whether a scenario ended early with fewer exchanges than k6 sent requests, or nobody knows how many it sent. */
function lostRequests({ scenario, state, requestsSent }: Ended, { exchanges }: Accounts): boolean {
  if (state !== 'incomplete') return false;
  const written = exchanges.filter((exchange) => exchange.scenario === scenario).length;
  return requestsSent === null || requestsSent > written;
}

/** Scenarios that may have sent; k6 sent before they were named in exchanges. */
function scenariosIn({ begun, exchanges }: Accounts): readonly string[] {
  const sending = exchanges
    .filter(({ driver }) => driver === 'k6')
    .map(({ scenario = 'without a name' }) => scenario);
  return [...begun.map(({ scenario }) => scenario), ...new Set(sending)];
}
