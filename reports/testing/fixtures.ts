import { clauses } from '../../contract/clauses/registry.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import type { IdentifiedGroup } from '../../contract/identification.ts';
import type { Judgement } from '../../contract/judgement.ts';
import { noPictures } from '../../contract/no-pictures.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import type { Trace } from '../../contract/trace.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import {
  type Damage,
  held,
  inconclusive,
  type QuotedExchange,
  type Verdict,
  violated,
} from '../../contract/verdict.ts';
import { buildReport } from '../build-report.ts';
import type { ClauseResult } from '../clause-result.ts';
import type { Report } from '../result.ts';

const startedAt = '2026-01-02T03:04:05.000Z';

/** A trace without exchanges: reports read the judgement, not the traffic. */
export function traceOf(parts: {
  readonly header?: Partial<TraceHeader>;
  readonly end?: Trace['end'];
}): Trace {
  const header: TraceHeader = {
    kind: 'trace',
    schemaVersion: 1,
    tool: { name: 'messaging-conformance', version: '0.1.0' },
    runId: 'r1',
    startedAt,
    mode: 'full',
    windowMs: 60_000,
    limits: documentedLimits,
    deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:8080'], keyEnv: ['KEY_A', 'KEY_B'] }),
    keys: ['A', 'B'],
    clocks: [{ id: 'main', kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax: 1_000, peakRequestsPerSecond: 200, seconds: 67 },
    ...parts.header,
  };
  const end = { kind: 'end', endedAt: '2026-01-02T03:05:12.500Z', complete: true, reason: null } as const;
  return { header, exchanges: [], loads: [], notes: [], end: parts.end === undefined ? end : parts.end };
}

type AnyVerdict = ClauseResult['verdict'];

/** Every clause held, except for those named. */
export function judgementOf(verdicts: Readonly<Record<string, AnyVerdict>> = {}): Judgement {
  const judged = clauses.map(({ id }) => ({
    clause: id as string,
    verdict: verdicts[id] ?? held('as promised'),
  }));
  return { clauses: judged, groups: [], bursts: [] };
}

export function reportOf(
  verdicts: Readonly<Record<string, AnyVerdict>> = {},
  header: Partial<TraceHeader> = {},
): Report {
  const judgedAt = '2026-01-02T03:05:13.000Z';
  return buildReport({
    identified: [],
    pictures: noPictures,
    trace: traceOf({ header }),
    judgement: judgementOf(verdicts),
    judgedAt,
  });
}

/** A run that broke off before anything was judged. */
export function brokenOffReport(): Report {
  const open = Object.fromEntries(clauses.map(({ id }) => [id, inconclusive('nothing was sent')]));
  const end = {
    kind: 'end',
    endedAt: '2026-01-02T03:04:06.000Z',
    complete: false,
    reason: 'nobody listens',
  } as const;
  return buildReport({
    identified: [],
    pictures: noPictures,
    trace: traceOf({ end }),
    judgement: judgementOf(open),
    judgedAt: end.endedAt,
  });
}

export function quoted(parts: Partial<QuotedExchange> = {}): QuotedExchange {
  return {
    requestId: 'r1-42',
    purpose: 'saturate',
    method: 'GET',
    path: '/v1/status',
    scope: 'standard',
    key: 'A',
    sentMs: 0,
    receivedMs: 3.25,
    status: 429,
    limit: '120',
    remaining: '0',
    reset: '1767323105',
    body: '{"success":false}',
    ...parts,
  };
}

export function violatedWith(
  exchanges: readonly QuotedExchange[],
  texts: { readonly observed?: string; readonly damage?: Damage } = {},
): Verdict {
  return violated('over-admission', {
    expected: 'at most 120 admitted in any 60 s',
    observed: texts.observed ?? '121 admitted within 312 ms',
    exchanges: [...exchanges],
    exchangesTotal: exchanges.length,
    ...(texts.damage === undefined ? {} : { damage: texts.damage }),
  });
}

/** What was found behind the scope `standard`, but for its window. */
export const identifiedStandard: Omit<IdentifiedGroup, 'windowSeconds'> = {
  scope: 'standard',
  key: 'A',
  algorithm: 'fixed-window-wall-clock',
  limit: 120,
  phaseSeconds: null,
  perSecondCap: null,
  shorterWindow: null,
  rejectionsCount: null,
  nearest: null,
  contradictions: 0,
  granularitySeconds: null,
  remarks: [],
  tied: [],
  notRuledOut: [],
  requests: 0,
  seconds: 0,
};

/** What a hostile target could put into a text: escapes, direction overrides, markup, nulls, commands to a CI system. */
export const hostile =
  '\u001b[2J\u001b]0;owned\u0007\u0000\u202egnp.exe]]></failure><x a="1\'">&amp;\r\nLevel\ud800\ufffe ::error::all passed ##[error]x ##vso[task.complete]y';
