import { waitUntil } from '../../checks/clock.ts';
import { failureAdvice, isUnreachable } from '../../checks/failures.ts';
import { openHttpClient } from '../../checks/http-client.ts';
import { identifyStep, isCutShort } from '../../checks/identify/schedule.ts';
import { beganEmpty, evidenceOf, expectedIn } from '../../checks/identify/second-look.ts';
import { expectedWindowMs, type Unknown } from '../../checks/identify/unknown.ts';
import { openBreaker } from '../../contract/breaker.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Identification } from '../../contract/identification.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { interrupted } from '../../contract/unreachable.ts';
import { describe } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { tool } from '../version.ts';
import type { Endpoint } from './endpoint.ts';
import { healthOutcome, limiterOutcome } from './limiter-outcome.ts';
import { longWindowText } from './long-window.ts';
import { cutShortText, remarksOn } from './remarks-on.ts';
import { failingText, suddenStatus, unrefusedText } from './unrefused.ts';

/** What happens while an endpoint is probed. */
export type ProbeEvent =
  | { readonly kind: 'doing'; readonly text: string }
  | { readonly kind: 'waiting'; readonly why: string; readonly untilMs: number }
  | { readonly kind: 'answered'; readonly outcome: Outcome };

export type ProbeResult =
  | {
      readonly kind: 'identified';
      readonly identification: Identification;
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'stopped'; readonly reason: string; readonly isInterrupted: boolean };

export type ProbeOptions = {
  readonly runId: string;
  readonly signal: AbortSignal;
  /** Called with each exchange before anybody looks at it. */
  readonly record: (exchange: Exchange) => void;
  readonly onEvent: (event: ProbeEvent) => void;
};

/** Requests in a row without a connection after which there is nobody to ask. */
const lostAfter = 8;

const purposes: Readonly<Record<string, string>> = {
  anchor: 'first request',
  saturate: 'as many as pass',
  confirm: 'confirming the limit',
  'take-back': 'asking how much has come back',
  queue: 'asking how many may wait',
  alone: 'asking one after another',
  part: 'asking fewer at once',
  together: 'asking as many at once again',
  rung: 'asking whether anything has come back',
  sustain: 'as many each second as pass',
  'sustain-back': 'as many each second as pass',
};

/** Asks an endpoint until it is known what limits it. Never throws for what the endpoint does. */
export async function probeEndpoint(
  endpoint: Endpoint,
  { runId, signal, record, onEvent }: ProbeOptions,
): Promise<ProbeResult> {
  const soFar: Exchange[] = [];
  const breaker = openBreaker(endpoint.deployment.breaker, endpoint.deployment.document);
  const failing = new AbortController();
  const sending = AbortSignal.any([signal, failing.signal]);
  const onExchange = (raw: Exchange): void => {
    const exchange = { ...raw, outcome: limiterOutcome(raw, endpoint.refusedBy) };
    record(exchange);
    if (failing.signal.aborted && raw.failure === interrupted) return;
    soFar.push(exchange);
    breaker.hear({ ...raw, credential: 'valid', outcome: healthOutcome(raw, endpoint.refusedBy) });
    if (breaker.tripped() !== null) failing.abort();
    onEvent({ kind: 'answered', outcome: exchange.outcome });
  };
  const { deployment, transport, keys } = endpoint;
  const userAgent = `${tool.name}/${tool.version}`;
  const client = openHttpClient({
    deployment,
    transport,
    keys,
    runId,
    userAgent,
    signal: () => sending,
    onExchange,
  });
  const target = unknownOf(endpoint);
  let cutShort = false;
  try {
    await client.warm('standard');
    while (!sending.aborted && !isLost(soFar) && suddenStatus(soFar) === null) {
      const nowMs = client.clock.nowMs();
      const step = identifyStep(target, soFar, nowMs);
      if (step.kind === 'done') {
        cutShort = isCutShort(target, soFar, nowMs);
        break;
      }
      if (step.kind === 'wait') {
        onEvent({ kind: 'waiting', why: step.why, untilMs: step.untilMs });
        await waitUntil(step.untilMs, client.clock, sending);
      } else {
        onEvent({ kind: 'doing', text: purposes[step.purpose] ?? step.purpose });
        await client.send(step.purpose, step.requests);
      }
    }
  } finally {
    await client.close();
  }
  return signal.aborted
    ? { kind: 'stopped', reason: 'interrupted', isInterrupted: true }
    : concluded(endpoint, soFar, {
        notes: cutShort ? [cutShortText(endpoint, soFar)] : [],
        failures: failing.signal.aborted ? breaker.text() : null,
      });
}

function unknownOf({ credential, keys, ...believed }: Endpoint): Unknown {
  const { limit, windowMs, windows, windowMsMax, unlimitedAfter, requestsMax, spanMsMax } = believed;
  const key = keys[0]?.alias ?? null;
  return {
    request: { scope: 'standard', route: 'main', key, credential },
    limit,
    windowMs,
    windows,
    windowMsMax,
    unlimitedAfter,
    requestsMax,
    spanMsMax,
  };
}

function isLost(soFar: readonly Exchange[]): boolean {
  const last = soFar.slice(soFar.length < lostAfter ? 0 : -lostAfter);
  return last.length > 0 && last.every(({ failure }) => failure !== null && isUnreachable(failure));
}

type Ending = {
  readonly notes: readonly string[];
  /** What failed so often that nothing more was sent; `null` where that was not so. */
  readonly failures: string | null;
};

function concluded(endpoint: Endpoint, soFar: readonly Exchange[], { notes, failures }: Ending): ProbeResult {
  const { deployment, keys, refusedBy, limit, windowMs } = endpoint;
  const stopped = (reason: string): ProbeResult => ({ kind: 'stopped', reason, isInterrupted: false });
  const where = `${deployment.requests.standard?.method} ${deployment.baseUrls[0]}${soFar[0]?.path ?? ''}`;
  if (isLost(soFar)) {
    const failure = soFar.at(-1)?.failure ?? 'no answer';
    return stopped(`${where}: ${failureAdvice(failure)}`);
  }
  const trace = evidenceOf(soFar);
  const hints = { limit: limit ?? undefined, windowMs: windowMs ?? undefined };
  const identification = trace.length === 0 ? null : describe(identify(trace, hints));
  const isRefused = trace.some(({ outcome }) => outcome === 'limited');
  const asked = { where, refusedBy, hasKey: keys.length > 0 };
  if (failures !== null) return stopped(failingText(soFar, { ...asked, failures }));
  if (identification === null || (!isRefused && identification.algorithm === 'unidentified')) {
    return stopped(unrefusedText(soFar, asked));
  }
  const expected = expectedIn(unknownOf(endpoint), soFar);
  const long = longWindowText(identification, expectedWindowMs(expected));
  const remarks = [
    ...notes,
    ...(beganEmpty(soFar) ? [emptyText] : []),
    ...(long === null ? [] : [long]),
    ...remarksOn(trace, expected),
  ];
  return { kind: 'identified', identification, remarks };
}

const emptyText =
  'it let less pass when it was first asked, as a bucket does that begins empty; it was asked again later, and that is told here';
