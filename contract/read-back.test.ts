import { describe, expect, it, test } from 'vitest';
import type { z } from 'zod';
import { bounds } from './bounds.ts';
import { type Certificate, certificatePath, certificateSchema, partRules } from './certificate.ts';
import type { deploymentSchema } from './deployment.ts';
import { messagingDocument } from './document/messaging.ts';
import { errorBodySchema } from './error-body.ts';
import { credentials, type Exchange, exchangeSchema } from './exchange.ts';
import { algorithms, type IdentifiedGroup, identifiedGroupSchema } from './identification.ts';
import { type Judgement, judgementSchema, unlessCrashed } from './judgement.ts';
import { bodyStates, outcomes } from './outcome.ts';
import { type Pictures, picturesSchema, rounded } from './pictures.ts';
import { scopes } from './scopes.ts';
import { type TraceHeader, traceHeaderSchema } from './trace-header.ts';
import { loadLineSchema, type TraceLine, traceLineSchema } from './trace-lines.ts';
import type { Verdict } from './verdict.ts';

/** Every field that an exchange can have, with a value. */
const exchange: Required<Exchange> = {
  kind: 'exchange',
  index: 3,
  driver: 'k6',
  scenario: 'nodes',
  clock: 'wall',
  scope: 'media',
  route: 'subpath',
  key: 'A',
  credential: 'valid',
  node: 1,
  purpose: 'saturate',
  requestId: 'r1-3',
  method: 'POST',
  path: '/v1/media',
  cost: 5,
  sentOnce: true,
  sentMs: 10.5,
  receivedMs: 15.25,
  latencyMs: 4.5,
  wallSentMs: 11,
  wallReceivedMs: 16,
  status: 429,
  headers: { limit: '30', remaining: '0', reset: '1760000040' },
  retryAfter: '5',
  date: 'Thu, 01 Jan 2026 00:00:00 GMT',
  server: 'nginx',
  contentType: 'application/json',
  body: '{}',
  bodyState: 'whole',
  failure: 'none within 5 s',
  outcome: 'limited',
};

const request = { method: 'PUT', path: '/v1/media?a=1', headers: { Accept: '*/*' } } as const;

const deployment = {
  document: messagingDocument,
  name: 'staging',
  baseUrls: ['http://127.0.0.1:1', 'https://api.example.test/base'],
  keyEnv: ['KEY_A', '_b2'],
  requests: {
    standard: { ...request, method: 'GET' },
    messages: { ...request, method: 'POST', body: { json: { to: ['1', null, true] } } },
    messagesSubpath: { ...request, method: 'DELETE', body: { text: 'a', contentType: 'text/plain' } },
    media: {
      ...request,
      body: { file: { field: 'upload', filename: 'a.png', contentType: 'image/png', bytes: 2 } },
    },
    otherError: { ...request, method: 'PATCH' },
  },
  otherMethods: {
    standard: { ...request, method: 'HEAD' },
    messages: request,
    media: request,
  },
  windowSeconds: 90,
  perSecond: 'cap',
  mediaBelowMessages: 'both',
  exclusiveKeys: false,
  clockSkewSecondsMax: 7,
  probeWithoutKey: false,
  requestTimeoutSeconds: 3,
  breaker: { failuresInARow: 7, failureShare: 0.25, retryAfterSecondsMax: 9 },
  maxRequests: 2_000,
  connectionsPerScope: 5,
  transport: {
    ca: 'ca.pem',
    clientCert: 'client.pem',
    clientKey: 'client.key',
    proxy: 'http://proxy.example.test:3128',
    http: '2',
    ip: '6',
    resolve: ['api.example.test:443:127.0.0.1', 'api.example.test:80:[::1]'],
  },
} satisfies z.infer<typeof deploymentSchema>;

const header: Required<TraceHeader> = {
  kind: 'trace',
  schemaVersion: 1,
  tool: { name: 'messaging-conformance', version: '0.0.0' },
  runId: 'r1',
  startedAt: '2026-01-01T00:00:00.000Z',
  mode: 'full',
  windowMs: 90_000,
  limits: { standard: 120, messages: 300, media: 30 },
  deployment,
  keys: ['A', 'B'],
  clocks: [
    { id: 'undici', kind: 'monotonic', offsetMsMax: 0 },
    { id: 'wall', kind: 'wall', offsetMsMax: 2, tiedBy: 'undici' },
  ],
  plan: { requestsMax: 10, peakRequestsPerSecond: 5, seconds: 2, unannouncedSeed: 7 },
  expected: { limit: 120, windowMs: 60_000 },
};

const { driver, clock, scope, route, key, credential, purpose, method, path, sentMs, wallSentMs } = exchange;

const lines: readonly TraceLine[] = [
  header,
  {
    kind: 'sent',
    ...{ driver, clock, scope, route, key, credential, purpose, method, path, sentMs, wallSentMs },
    requests: [{ index: 3, requestId: 'r1-3', node: 1 }],
  },
  exchange,
  { kind: 'begun', scenario: 'nodes', atMs: 5 },
  {
    kind: 'load',
    scenario: 'nodes',
    state: 'incomplete',
    reason: 'killed',
    key: 'A',
    scope: 'media',
    requestsSent: 4,
  },
  { kind: 'left-out', scenario: 'nodes', reason: 'one base URL' },
  { kind: 'clock', clock: 'undici', monotonicMs: 10, wallMs: 12 },
  { kind: 'note', atMs: 5, text: 'waited' },
  {
    kind: 'end',
    endedAt: '2026-01-01T00:01:00.000Z',
    complete: false,
    reason: 'stopped',
    stoppedBy: 'preflight',
  },
];

const certificate: Certificate = {
  kind: 'certificate',
  schemaVersion: 2,
  runId: 'r1',
  traceSha256: '0123456789abcdef'.repeat(4),
  clause: 'limits.media',
  level: 'must',
  reason: 'over-admission',
  bounds: { ...bounds },
  group: { key: 'A', scope: 'media', scenario: 'nodes', limit: 30, windowMs: 60_000, settledMs: 61_025 },
  exchanges: [{ lowMs: 10, highMs: 15, exchange }],
  parts: [
    {
      rule: 'over-admission',
      reading: 'not-counted',
      requestIds: ['r1-3'],
      left: 5,
      relation: '<',
      right: 59_975,
    },
    { rule: 'length', reading: 'counted', requestIds: [], left: 5, relation: '<=', right: null },
  ],
};

const verdicts: readonly Verdict[] = [
  { kind: 'held', summary: '12 answers' },
  ...(['admitted', 'refused'] as const).map(
    (kind): Verdict => ({
      kind: 'violated',
      reason: 'over-admission',
      evidence: {
        expected: 'at most 30',
        observed: '31',
        exchanges: [
          {
            requestId: 'r1-3',
            purpose: 'saturate',
            method: 'POST',
            path: '/v1/media',
            scope: 'media',
            key: 'A',
            credential: 'valid',
            sentMs: 0,
            receivedMs: 5,
            status: 200,
            limit: '30',
            remaining: '0',
            reset: '70',
            body: '{}',
          },
        ],
        exchangesTotal: 31,
        damage:
          kind === 'admitted'
            ? { kind, most: 31, withinMs: 4.5, limit: 30 }
            : { kind, refusals: 3, fewestBefore: 12, limit: 30 },
      },
    }),
  ),
  { kind: 'inconclusive', reason: 'no second key', because: ['limits.media'] },
  { kind: 'observed', value: 'seconds' },
  { kind: 'not-applicable', reason: 'no request for media' },
];

const judgement: Judgement = {
  clauses: [
    ...verdicts.map((verdict) => ({ clause: 'limits.media', verdict })),
    { clause: 'limits.per-key', verdict: { kind: 'crashed', message: 'Error: no' } },
  ],
  groups: (['not-counted', 'counted', 'unknown'] as const).map((rejections) => ({
    scope: 'media',
    key: 'A',
    sent: 40,
    admitted: 30,
    limited: 8,
    refused: 1,
    indeterminate: 1,
    windowMs: { low: 59_000, high: null },
    rejections,
    latencyMs: { p50: 3, p99: 9, max: 12.5 },
  })),
  bursts: (['complete', 'incomplete', 'not-run'] as const).map((state) => ({
    scenario: 'nodes',
    scope: 'media',
    key: 'A',
    state,
    reason: 'killed',
    sent: 4,
    admitted: 2,
    limited: 1,
    unexpected: 1,
    spanMs: 12,
  })),
};

const candidate = {
  algorithm: 'sub-window-log',
  limit: 120,
  windowSeconds: { value: 60, low: 59.9, high: 60.1 },
  phaseSeconds: { low: 1, high: 2 },
  granularitySeconds: 10,
  rejectionsCount: true,
} as const;

const identified: IdentifiedGroup = {
  ...candidate,
  algorithm: ['sub-window-log', 'sliding-log', 'two-bucket'],
  perSecondCap: 10,
  shorterWindow: { limit: 10, windowSeconds: 1 },
  contradictions: 2,
  remarks: ['the times are uncertain'],
  nearest: candidate,
  tied: [candidate],
  notRuledOut: [candidate],
  requests: 300,
  seconds: 70.5,
  scope: 'standard',
  key: 'A',
};

const curve = { atMs: [1, 2], admitted: [3, 4] };
const quantiles = { count: 4, p50: 1, p90: 2, p99: 3, max: 4 };
const marks = {
  sentMs: [0],
  receivedMs: [null],
  outcome: [3],
  count: [2],
  status: [200],
  purpose: [0],
  requestId: ['r1-3'],
  remaining: [29],
  remainingLow: [28],
  remainingHigh: [30],
  resetAheadSeconds: [59.5],
  firstBackSeconds: [58],
  allBackSeconds: [60],
};

const pictures: Pictures = {
  timelines: [
    {
      scope: 'media',
      key: 'A',
      limit: 30,
      originMs: 1_760_000_040_000,
      endMs: 61_000,
      rejectionsCount: false,
      inWindow: { atMs: [0, 1], certain: [1, 2], possible: [2, 3] },
      over: { fromMs: [5], toMs: [6], certain: [31] },
      purposes: ['saturate'],
      exchangesPerMark: 2,
      marks,
    },
  ],
  timelinesLeftOut: 1,
  returns: [
    {
      scope: 'media',
      key: 'A',
      originMs: 1_760_000_040_000,
      limit: 30,
      windowMs: 60_000,
      endMs: 61_000,
      observed: curve,
      models: [{ algorithm: 'two-bucket', isIdentified: true, curve }],
    },
  ],
  bursts: [
    {
      scenario: 'nodes',
      sent: 4,
      arrivalMs: 12,
      latencyMs: { admitted: quantiles, limited: null },
      dots: { sentMs: [0], latencyMs: [3], outcome: [0] },
    },
  ],
};

const errorBody = { success: false, error: { code: 'a', message: 'b', retry_after_seconds: 5 } };

const samples: readonly (readonly [string, z.ZodType, unknown])[] = [
  ...lines.map((line) => [`the line "${line.kind}" of a trace`, traceLineSchema, line] as const),
  ['a certificate', certificateSchema, certificate],
  ['a certificate of a shortcoming', certificateSchema, { ...certificate, level: 'should', group: null }],
  ['a judgement', judgementSchema, judgement],
  ['an identification', identifiedGroupSchema, identified],
  ['pictures', picturesSchema, pictures],
  ['the body of an error', errorBodySchema, errorBody],
];

test.each(samples)('%s is read with each of its fields as it was written', (_what, schema, sample) => {
  expect(schema.parse(JSON.parse(JSON.stringify(sample)))).toEqual(sample);
});

describe('what earlier versions wrote', () => {
  it('is read where fields came later', () => {
    const { shorterWindow, notRuledOut, ...before } = identified;
    expect([shorterWindow, notRuledOut]).not.toContain(undefined);
    expect(identifiedGroupSchema.parse(before)).toEqual({ ...before, shorterWindow: null, notRuledOut: [] });
  });

  it('holds words that never change', () => {
    expect({ scopes, outcomes, bodyStates, credentials, algorithms, partRules }).toEqual({
      scopes: ['standard', 'messages', 'media'],
      outcomes: ['admitted', 'limited', 'refused', 'indeterminate'],
      bodyStates: ['whole', 'partial', 'until-close', 'beyond-bound'],
      credentials: ['valid', 'absent', 'malformed', 'unknown'],
      algorithms: [
        'sliding-log',
        'sliding-log-counting-rejections',
        'sub-window-log',
        'fixed-window-wall-clock',
        'fixed-window-first-request',
        'fixed-window-phase',
        'two-bucket',
        'two-bucket-counting-rejections',
        'token-bucket',
        'leaky-bucket',
        'leaky-bucket-queue',
        'concurrency-limit',
        'extend-on-reject',
        'block-on-reject',
        'unidentified',
      ],
      partRules: [
        'over-admission',
        'admitted-while-full',
        'refused-with-room',
        'refused-together',
        'no-parts',
        'no-cap',
        'clear',
        'held-before',
        'full-before',
        'length',
        'together',
        'held-paths',
        'held-nodes',
        'places-left',
        'above-count',
        'below-count',
        'above-leaving',
        'offset',
        'waited',
      ],
    });
    const { shape } = exchangeSchema;
    expect([shape.driver.options, shape.route.options]).toEqual([
      ['undici', 'k6', 'simulation'],
      ['main', 'subpath', 'other-method', 'other', 'beside'],
    ]);
    expect([traceHeaderSchema.shape.mode.options, loadLineSchema.shape.state.options]).toEqual([
      ['full', 'light', 'load'],
      ['complete', 'incomplete', 'not-run'],
    ]);
  });
});

test('a judge that throws is told from one that finds a violation', () => {
  const throwing = (): Verdict => {
    throw new RangeError('no group');
  };
  expect(unlessCrashed(throwing)).toEqual({ kind: 'crashed', message: 'RangeError: no group' });
  expect(unlessCrashed(() => 'held')).toBe('held');
});

test('times in pictures have hundredths of a millisecond', () => {
  expect([1.234_56, 61_000.006].map(rounded)).toEqual([1.23, 61_000.01]);
});

test('certificates lie where docs/verdicts.md says', () => {
  expect(certificatePath('limits.media')).toBe('evidence/limits.media.json');
});

test('pictures whose columns differ in length are refused', () => {
  const [first] = pictures.timelines;
  const timelines = [{ ...first, marks: { ...marks, status: [200, 200] } }];
  expect(picturesSchema.safeParse({ ...pictures, timelines }).success).toBe(false);
});

test.each([`a${certificate.traceSha256}`, certificate.traceSha256.slice(1), 'A'.repeat(64)])(
  '%s is no digest of a trace',
  (traceSha256) => {
    expect(certificateSchema.safeParse({ ...certificate, traceSha256 }).success).toBe(false);
  },
);
