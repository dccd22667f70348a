import { evidenceOf } from '../../checks/identify/second-look.ts';
import { httpClientClockId } from '../../checks/ready-request.ts';
import type { Identification, IdentifiedGroup } from '../../contract/identification.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import type { Trace } from '../../contract/trace.ts';
import { type TraceHeader, traceHeader } from '../../contract/trace-header.ts';
import { groupsOf } from '../../judge/entries.ts';
import { describe } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { identifyGroups } from '../../judge/identify/identify-groups.ts';
import { tool } from '../version.ts';
import type { Endpoint } from './endpoint.ts';

type Begun = { readonly endpoint: Endpoint; readonly runId: string; readonly startedAtMs: number };

/** The first line of an identification's trace, without any header that is secret. */
export function identificationHeader({ endpoint, runId, startedAtMs }: Begun): TraceHeader {
  const { shown, keys, limit, windowMs, requestsMax, spanMsMax } = endpoint;
  return traceHeader({
    tool,
    runId,
    startedAtMs,
    mode: 'full',
    limits: documentedLimits,
    deployment: shown,
    keys: keys.map(({ alias }) => alias),
    clocks: [{ id: httpClientClockId, kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax, peakRequestsPerSecond: requestsMax, seconds: Math.ceil(spanMsMax / 1_000) },
    expected: { limit, windowMs },
  });
}

/** A limiter that a trace tells of; `of` says which one where the trace is of a run, which may tell of several. */
export type TracedLimiter = {
  readonly of: Pick<IdentifiedGroup, 'scope' | 'key'> | null;
  readonly identification: Identification;
};

/**
 * The limiters that a saved trace tells of: the one of an identification, or of a run each scope that was filled. Pure: the
 * same trace gives the same limiters.
 */
export function limitersIn(trace: Trace): readonly TracedLimiter[] {
  const { header, exchanges } = trace;
  if (header.expected === undefined) {
    return identifyGroups(groupsOf(trace)).map(({ scope, key, ...identification }) => ({
      of: { scope, key },
      identification,
    }));
  }
  const evidence = evidenceOf(exchanges);
  if (evidence.length === 0) return [];
  const hints = {
    limit: header.expected.limit ?? undefined,
    windowMs: header.expected.windowMs ?? undefined,
  };
  return [{ of: null, identification: describe(identify(evidence, hints)) }];
}
