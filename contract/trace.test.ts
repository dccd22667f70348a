import { describe, expect, test } from 'vitest';
import { deploymentSchema } from './deployment.ts';
import { documentSchema } from './document/document.ts';
import { type Exchange, exchangeSchema } from './exchange.ts';
import { formatLine } from './ndjson.ts';
import { assembleTrace, formatTrace, parseTrace, traceTexts } from './trace.ts';
import { type TraceHeader, traceHeader } from './trace-header.ts';
import type { TraceLine } from './trace-lines.ts';
import { longestProbedMsIn, longestWaitMsIn, longestWindowMsIn, windowMsIn } from './trace-windows.ts';

const header: TraceHeader = {
  kind: 'trace',
  schemaVersion: 1,
  tool: { name: 'messaging-conformance', version: '0.0.0' },
  runId: 'r1',
  startedAt: '1970-01-01T00:00:00.000Z',
  mode: 'full',
  windowMs: 60_000,
  limits: { standard: 120, messages: 300, media: 30 },
  deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'] }),
  keys: ['A'],
  clocks: [{ id: 'undici', kind: 'monotonic', offsetMsMax: 0 }],
  plan: { requestsMax: 1, peakRequestsPerSecond: 1, seconds: 1 },
};
const note: TraceLine = { kind: 'note', atMs: 5, text: 'waited' };
const end: TraceLine = { kind: 'end', endedAt: '2026-01-01T00:01:00.000Z', complete: true, reason: null };
const text = [header, note, end].map(formatLine).join('');

test('a trace read back is the one that was written', () => {
  expect(parseTrace(text)).toEqual({ header, exchanges: [], loads: [], notes: [note], end });
});

test('what is formatted reads back as the same trace, with how its clocks are tied and what was left out', () => {
  const trace = assembleTrace([
    header,
    note,
    { kind: 'clock', clock: 'undici', monotonicMs: 10, wallMs: 12 },
    { kind: 'left-out', scenario: 'nodes', reason: 'one base URL' },
    end,
  ]);
  expect(trace).toMatchObject({ clockLines: [{ wallMs: 12 }], leftOut: [{ scenario: 'nodes' }] });
  expect(parseTrace(formatTrace(trace))).toEqual(trace);
});

test('a trace of nothing but its header reads back as the same', () => {
  const trace = assembleTrace([header]);
  expect(trace).toEqual({ header, exchanges: [], loads: [], notes: [], end: null });
  expect(formatTrace(trace)).toBe(formatLine(header));
});

test('a long trace is written some lines at a time', () => {
  const notes = Array.from({ length: 9_000 }, (_, atMs) => ({ ...note, atMs }));
  const trace = assembleTrace([header, ...notes, end]);
  const texts = [...traceTexts(trace)];
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.length).toBeLessThan(20);
  for (const one of texts) expect(one.length).toBeLessThan(70_000);
  expect(texts.join('')).toBe([header, ...notes, end].map(formatLine).join(''));
  expect(formatTrace(trace)).toBe(texts.join(''));
});

test('no text of a trace that ends with a long line is empty', () => {
  const texts = [...traceTexts(assembleTrace([header, { ...note, text: 'x'.repeat(70_000) }]))];
  expect(texts).toHaveLength(1);
});

describe('the windows of a document whose limits have windows of their own', () => {
  const document = {
    ...{ version: 1, title: 'items', windowSeconds: 60 },
    scopes: {
      all: { title: 'any route', limit: 20, promise: { kind: 'token-bucket', size: 40 } },
      items: {
        ...{ title: 'items', paths: ['/items'], limit: 20 },
        also: [
          { limit: 100, windowSeconds: 3_600 },
          { limit: 1_000, windowSeconds: 7_200 },
        ],
      },
    },
  } as const;
  const deployment = deploymentSchema.parse({
    ...{ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['A'], document },
    requests: { all: { path: '/' }, items: { path: '/items' } },
  });

  test.each([
    { windowMs: 60_000, of: { all: 120_000, items: 60_000, longest: 7_200_000, probed: 3_600_000 } },
    { windowMs: 6_000, of: { all: 12_000, items: 6_000, longest: 720_000, probed: 720_000 } },
  ])('are as much shorter as that of the trace, $windowMs ms', ({ windowMs, of }) => {
    const played = { windowMs, deployment };
    expect(windowMsIn(played, 'all')).toBe(of.all);
    expect(windowMsIn(played, 'items')).toBe(of.items);
    expect(longestWindowMsIn(played)).toBe(of.longest);
    expect(longestProbedMsIn(played)).toBe(of.probed);
  });

  test('is how long a client may have to wait, unless the document says that it is longer', () => {
    const waitOf = (refusal: object) =>
      longestWaitMsIn({
        windowMs: 60_000,
        deployment: { ...deployment, document: documentSchema.parse({ ...document, ...refusal }) },
      });
    expect(waitOf({})).toBe(7_200_000);
    expect(waitOf({ refusal: {} })).toBe(7_200_000);
    const { all } = document.scopes;
    const short = { scopes: { all: { ...all, promise: 'rolling' } } };
    expect(waitOf({ ...short, refusal: { waitSeconds: 90 } })).toBe(90_000);
    expect(waitOf({ ...short, refusal: { waitSeconds: 30 } })).toBe(60_000);
  });
});

describe('the header of a run', () => {
  const { tool, runId, mode, limits, deployment, keys, clocks, plan } = header;
  const facts = { tool, runId, mode, limits, deployment, keys, clocks, plan };
  const startedAtMs = Date.parse(header.startedAt);

  test('is made of its facts', () => {
    expect(traceHeader({ ...facts, startedAtMs })).toStrictEqual(header);
  });

  test('says what a run that did not announce itself drew from, and what was expected', () => {
    const said = { expected: { limit: 120, windowMs: null }, plan: { ...plan, unannouncedSeed: 7 } };
    expect(traceHeader({ ...facts, ...said, startedAtMs })).toStrictEqual({ ...header, ...said });
  });

  test('keeps no secret of the settings', () => {
    const template = { method: 'GET', path: '/', headers: { 'X-Api-Key': 'canary' } } as const;
    const secret = { ...deployment, requests: { standard: template } };
    expect(JSON.stringify(traceHeader({ ...facts, deployment: secret, startedAtMs }))).not.toContain(
      'canary',
    );
  });
});

test('a line cut off by a run that died is dropped, and the trace has no end', () => {
  const cut = text.slice(0, -20);
  expect(parseTrace(cut)).toMatchObject({ notes: [note], end: null });
});

test.each([
  ['', 'line 1 is not the header'],
  ['{"kind":"trace"', 'line 1 is not a whole line'],
  [formatLine(note), 'line 1 is not the header'],
  [`${text}nonsense\n`, 'line 4 is not JSON'],
  [`${text}{"kind":"note","atMs":"late","text":""}\n`, 'line 4 does not fit the schema: atMs'],
  [text + formatLine(header), 'line 4 is a second header'],
  [formatLine({ ...header, schemaVersion: 2 } as unknown as TraceLine), 'schemaVersion'],
])('what cannot be read is named by its line: %j', (broken, message) => {
  expect(() => parseTrace(broken)).toThrow(message);
});

const common = {
  driver: 'undici',
  clock: 'undici',
  scope: 'media',
  route: 'main',
  key: 'A',
  credential: 'valid',
  purpose: 'saturate',
  method: 'POST',
  path: '/v1/media',
  sentMs: 10,
  wallSentMs: 10,
} as const;

const sent: TraceLine = {
  kind: 'sent',
  ...common,
  requests: [0, 1].map((index) => ({ index, requestId: `r1-${index}`, node: 0 })),
};

function exchange(index: number, changes: Partial<Exchange> = {}): Exchange {
  return {
    kind: 'exchange',
    ...common,
    index,
    node: 0,
    requestId: `r1-${index}`,
    receivedMs: 15,
    wallReceivedMs: 15,
    status: 200,
    headers: { limit: '30', remaining: '29', reset: '70' },
    retryAfter: null,
    date: null,
    contentType: null,
    body: null,
    failure: null,
    outcome: 'admitted',
    ...changes,
  };
}

test('more requests are announced at once than a call takes arguments', () => {
  const requests = Array.from({ length: 200_000 }, (_, index) => ({
    ...{ index, node: 0 },
    requestId: `q${index}`,
  }));
  expect(assembleTrace([header, { ...sent, requests }]).exchanges).toHaveLength(200_000);
});

test('an exchange costs at most as much as a document may say', () => {
  const read = (cost: number) => parseTrace(formatLine(header) + formatLine(exchange(0, { cost })));
  expect(read(10_000).exchanges).toHaveLength(1);
  expect(() => read(10_001)).toThrow('cost must be at most 10000, not 10001');
});

const k6 = { driver: 'k6', scenario: 'nodes' } as const;
const begun: TraceLine = { kind: 'begun', scenario: 'nodes', atMs: 5 };
const load = {
  kind: 'load',
  scenario: 'nodes',
  state: 'complete',
  reason: null,
  key: 'A',
  scope: 'media',
  requestsSent: 1,
} as const;

describe('what was in flight when a run died', () => {
  test('is known by the lines on what was about to be sent', () => {
    const trace = assembleTrace([header, sent, exchange(1)]);
    expect(trace.unknownRequests).toBeUndefined();
    expect(trace.exchanges.map(({ requestId, outcome }) => [requestId, outcome])).toEqual([
      ['r1-1', 'admitted'],
      ['r1-0', 'indeterminate'],
    ]);
    expect(exchangeSchema.parse(trace.exchanges[1])).toMatchObject({ sentMs: 10, receivedMs: null });
  });

  test.each<readonly [string, readonly TraceLine[], RegExp | null]>([
    ['without lines on what was sent', [exchange(0)], /^the trace has no last line/],
    ['with a last line', [exchange(0), end], null],
    ['k6 was sending', [sent, begun], /^the run died during the load scenario nodes/],
    ['k6 had sent', [sent, begun, exchange(2, k6), load], null],
    ['k6 was sending, in an older trace', [exchange(0, k6)], /^the run died during the load scenario/],
    [
      'k6 was killed',
      [begun, exchange(0, k6), { ...load, state: 'incomplete', requestsSent: null }, end],
      /^k6 did not run to its end/,
    ],
    [
      'k6 lost lines',
      [begun, exchange(0, k6), { ...load, state: 'incomplete', requestsSent: 2 }, end],
      /^k6 did not run/,
    ],
    [
      'k6 lost lines of one of two scenarios',
      [begun, exchange(0, k6), exchange(1), { ...load, state: 'incomplete', requestsSent: 2 }, end],
      /^k6 did not run/,
    ],
    ['k6 does not say how many it sent', [begun, { ...load, requestsSent: null }, end], null],
    ['with one that was not announced', [sent, exchange(0), exchange(7)], /^the trace has no last line/],
    [
      'k6 was sending, before scenarios had names',
      [sent, exchange(0), exchange(7, { driver: 'k6' })],
      /^the run died during the load scenario without a name,/,
    ],
    ['k6 left requests out', [begun, exchange(0, k6), { ...load, state: 'incomplete' }, end], null],
  ])('may be unknown: %s', (_name, lines, why) => {
    const { unknownRequests } = assembleTrace([header, ...lines]);
    if (why === null) expect(unknownRequests).toBeUndefined();
    else expect(unknownRequests).toMatch(why);
  });
});

test('a line that stands there twice counts once, and is told', () => {
  const trace = assembleTrace([header, exchange(0), load, exchange(1), exchange(0), load, end]);
  expect(trace.exchanges.map(({ index }) => index)).toEqual([0, 1]);
  expect(trace.loads).toHaveLength(1);
  expect(trace.notes.map(({ text }) => text)).toEqual(['2 lines stand in the trace twice; each counts once']);
});

test('what happened twice is told twice', () => {
  expect(assembleTrace([header, note, note, end]).notes).toEqual([note, note]);
});

test('two exchanges of one request that differ are refused, with their lines', () => {
  const text = [header, exchange(0), exchange(1), exchange(0, { status: 429 }), end].map(formatLine).join('');
  expect(() => parseTrace(text)).toThrow('line 4 has another exchange of request r1-0 than line 2');
});

test('a last line without a line break is read', () => {
  expect(parseTrace(text.slice(0, -1)).end).toEqual(end);
});
