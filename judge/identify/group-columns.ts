import { outcomes } from '../../contract/outcome.ts';
import type { ProbedGroup } from './identify-groups.ts';
import type { ObservedRequest } from './observations.ts';

/** A group that the probes filled, as columns that threads share: 17 bytes a request. */
export type GroupColumns = Pick<ProbedGroup, 'scope' | 'key' | 'limit' | 'windowMs'> & {
  readonly sentMs: Float64Array;
  /** NaN where no answer came. */
  readonly receivedMs: Float64Array;
  /** Positions among `outcomes`. */
  readonly outcome: Uint8Array;
};

export function columnsOf({ exchanges, ...group }: ProbedGroup<ObservedRequest>): GroupColumns {
  const { length } = exchanges;
  const sentMs = new Float64Array(new SharedArrayBuffer(8 * length));
  const receivedMs = new Float64Array(new SharedArrayBuffer(8 * length));
  const outcome = new Uint8Array(new SharedArrayBuffer(length));
  exchanges.forEach((one, at) => {
    sentMs[at] = one.sentMs;
    receivedMs[at] = one.receivedMs ?? Number.NaN;
    outcome[at] = outcomes.indexOf(one.outcome);
  });
  return { ...group, sentMs, receivedMs, outcome };
}

/** The group again, with all of its requests that identification asks for. */
export function fromColumns({
  sentMs,
  receivedMs,
  outcome,
  ...group
}: GroupColumns): ProbedGroup<ObservedRequest> {
  const exchanges = Array.from(sentMs, (sent, at): ObservedRequest => {
    const received = receivedMs[at] as number;
    return {
      sentMs: sent,
      receivedMs: Number.isNaN(received) ? null : received,
      outcome: outcomes[outcome[at] as number] as ObservedRequest['outcome'],
    };
  });
  return { ...group, exchanges };
}
