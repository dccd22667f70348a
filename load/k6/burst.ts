import http from 'k6/http';
import type { Options } from 'k6/options';
import { counterThresholds, countingErrors, countOutcome } from './counters.ts';
import { exchangeOf, type Interval } from './exchange-line.ts';
import { fileBytesMin } from './file-sizes.ts';
import type { Parameters } from './parameters.ts';
import { type PlannedRequest, planRequest } from './request.ts';

/** One VU that sends everything at once; `batch` and `batchPerHost` are what lets it. */
export function burstOptions(parameters: Parameters): Options {
  const atOnce = Math.max(parameters.burst, parameters.warmUp);
  return {
    scenarios: {
      [parameters.scenario.replaceAll('-', '_')]: {
        executor: 'per-vu-iterations',
        vus: 1,
        iterations: 1,
        // Two batches, each bounded by the time-out of its requests, and the time to build them.
        maxDuration: `${2 * parameters.timeoutMs + 10_000}ms`,
        gracefulStop: '0s',
      },
    },
    batch: atOnce,
    batchPerHost: atOnce,
    thresholds: counterThresholds,
    maxRedirects: 0,
    noConnectionReuse: false,
    noVUConnectionReuse: false,
    discardResponseBodies: false,
    userAgent: parameters.userAgent,
    summaryTrendStats: ['max'],
  };
}

export type Burst = {
  readonly parameters: Parameters;
  readonly key: string;
  /** Size of the file that request `n` of the burst carries, where the body is a file; not given: the template's. */
  readonly fileBytesOf?: (n: number) => number;
};

/** Opens connections with requests that spend nothing of the key, then sends the burst. */
export function sendBurst({ parameters, key, fileBytesOf }: Burst): void {
  countingErrors(() => {
    const { warmUp, burst } = parameters;
    const warm = indices(warmUp).map((n) =>
      planRequest({ parameters, index: n, purpose: 'warm', key: null, fileBytes: fileBytesMin }),
    );
    const sharp = indices(burst).map((n) => {
      const planned = { parameters, index: warmUp + n, purpose: 'burst', key };
      return planRequest(fileBytesOf === undefined ? planned : { ...planned, fileBytes: fileBytesOf(n) });
    });
    // Built before anything is sent: connections would grow cold, and the burst wide, while files are made.
    const [warmBatch, sharpBatch] = [warm, sharp].map((planned) =>
      planned.map((it) => k6Request(it, parameters)),
    );
    if (warm.length > 0) writeExchanges({ parameters, key, requests: warm, batch: warmBatch ?? [] });
    writeExchanges({ parameters, key, requests: sharp, batch: sharpBatch ?? [] });
  });
}

type K6Request = ReturnType<typeof k6Request>;

type Sending = {
  readonly parameters: Parameters;
  readonly key: string;
  readonly requests: readonly PlannedRequest[];
  readonly batch: readonly K6Request[];
};

function writeExchanges({ parameters, key, requests, batch }: Sending): void {
  const sentMs = Date.now();
  const answers = http.batch([...batch]);
  // The clock truncates to whole milliseconds, so the answers may have come up to one later than it shows.
  const interval: Interval = { sentMs, receivedMs: Date.now() + 1 };
  requests.forEach((request, n) => {
    const answer = answers[n];
    if (answer === undefined) throw new Error(`k6 gave no response to request ${request.requestId}`);
    const exchange = exchangeOf({ parameters, key, request, answer, interval });
    if (request.credential === 'valid') countOutcome(exchange.outcome);
    console.log(JSON.stringify(exchange));
  });
}

function k6Request({ method, url, headers, payload, credential }: PlannedRequest, { timeoutMs }: Parameters) {
  return {
    method,
    url,
    body: bodyOf(payload),
    params: {
      headers: { ...headers },
      timeout: timeoutMs,
      redirects: 0,
      responseType: 'text' as const,
      // A jar of its own: a cookie that one answer sets must not ride on the other requests.
      jar: new http.CookieJar(),
      // A 429 is an answer like any other here, and without a key any status is.
      ...(credential === 'valid' && {
        responseCallback: http.expectedStatuses({ min: 200, max: 299 }, 429),
      }),
    },
  };
}

function bodyOf(payload: PlannedRequest['payload']) {
  switch (payload.kind) {
    case 'none':
      return null;
    case 'text':
      return payload.text;
    case 'file': {
      const { field, bytes, filename, contentType } = payload.file;
      return { [field]: http.file(new Uint8Array(bytes).fill(0x6b).buffer, filename, contentType) };
    }
    default:
      return payload satisfies never;
  }
}

function indices(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
