import { describe, expect, it, test } from 'vitest';
import { formatLine } from '../ndjson.ts';
import { type DriveLine, driveLineSchema, parseDriveTrace } from './drive/trace.ts';
import { burstAnswersSchema, type CaseJudgement, caseJudgementSchema } from './drive/verdict.ts';
import { answerKinds, type Delivery, parseWebhookTrace, type WebhookTraceLine } from './trace.ts';

const header: WebhookTraceLine = {
  kind: 'webhook-trace',
  schemaVersion: 1,
  tool: { name: 'test', version: '0' },
  runId: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  url: 'http://127.0.0.1:1',
};

const delivery: Delivery = {
  kind: 'delivery',
  index: 2,
  connection: 1,
  method: 'POST',
  path: '/hooks',
  headers: [['Content-Type', 'application/json']],
  body: { base64: '/w==' },
  bodyBytes: 1,
  arrivedMs: 0.5,
  completeMs: 1.5,
  answer: 'ok',
  status: 204,
  answeredMs: 2.5,
};

const end = {
  kind: 'end',
  endedAt: '2026-01-01T00:01:00.000Z',
  complete: false,
  reason: 'stopped',
} as const;

describe('a trace of deliveries', () => {
  it('is read with each of its fields as it was written', () => {
    const others = answerKinds.map(
      (answer, at): Delivery => ({
        ...delivery,
        ...{ answer, index: 3 + at, body: { text: '{}' } },
      }),
    );
    const injected = [1, 2].map((messages) => ({ kind: 'injected', atMs: 5, messages }) as const);
    const unheard = { dropped: 1, silent: 2, unreadable: 3 };
    const lines = [header, delivery, ...others, ...injected, { kind: 'unheard', ...unheard } as const, end];
    const text = lines.map(formatLine).join('');
    expect(parseWebhookTrace(text)).toEqual({
      header,
      deliveries: [delivery, ...others],
      injected: 3,
      unheard,
      end,
    });
    expect(answerKinds).toEqual(['ok', 'slow', 'error', 'limited', 'gone', 'none']);
  });

  it('knows of no messages that were injected where nobody did', () => {
    expect(parseWebhookTrace(formatLine(header))).toEqual({
      header,
      deliveries: [],
      injected: null,
      unheard: { dropped: 0, silent: 0, unreadable: 0 },
      end: null,
    });
  });
});

const driveHeader: DriveLine = {
  kind: 'webhook-drive',
  schemaVersion: 1,
  tool: { name: 'test', version: '0' },
  runId: 'r',
  startedAt: '2026-01-01T00:00:00.000Z',
  target: 'http://127.0.0.1:3000/',
  secretEnv: ['NEW', 'OLD'],
  effects: 'http://127.0.0.1:3000/effects',
  budgetMs: 5_000,
  effectsWaitMs: 100,
  burst: { eventsPerSecond: 15, seconds: 10 },
  cases: ['valid.received', 'valid.sent'],
};

test('the trace of a driven receiver is read with each of its fields as it was written', () => {
  const driven: DriveLine = {
    kind: 'delivery',
    index: 2,
    case: 'valid.received',
    name: 'received',
    messageId: 'msg_1',
    headers: [['A', 'b']],
    body: { text: '{}' },
    dueMs: 1,
    sentMs: 2,
    receivedMs: 3,
    status: 204,
    answer: 'ok',
    failure: 'none',
    stalledMs: 4,
  };
  const looks = [
    { kind: 'known', state: 'read', handled: 2 } as const,
    { kind: 'unknown' } as const,
    { kind: 'unreadable', detail: 'status 500' } as const,
  ];
  const effects = looks.map(
    (found): Extract<DriveLine, { kind: 'effect' }> => ({
      kind: 'effect',
      case: 'effect.forged',
      messageId: 'msg_2',
      atMs: 7,
      found,
    }),
  );
  const note: DriveLine = { kind: 'note', atMs: 1, text: 'x' };
  const text = [driveHeader, driven, ...effects, note, end].map(formatLine).join('');
  expect(parseDriveTrace(text)).toEqual({
    header: driveHeader,
    deliveries: [driven],
    effects,
    notes: [note],
    end,
  });
});

test.each([
  [{ ...driveHeader, secretEnv: [] }, 'secretEnv'],
  [{ ...driveHeader, secretEnv: ['A', 'B', 'C'] }, 'secretEnv'],
  [{ ...driveHeader, cases: [] }, 'cases'],
])('a drive without what it needs is refused: %#', (line, field) => {
  expect(driveLineSchema.safeParse(line).error?.issues).toMatchObject([{ path: [field] }]);
});

const judgements: readonly CaseJudgement['verdict'][] = [
  { kind: 'held', summary: '204' },
  {
    kind: 'violated',
    reason: 'not-accepted',
    observed: 'it was answered 400',
    likely: 'a',
    deliveries: [
      {
        index: 2,
        name: 'received',
        messageId: 'msg_1',
        sentMs: 0,
        answeredAfterMs: 1,
        status: 400,
        said: 'no',
      },
    ],
    deliveriesTotal: 3,
  },
  { kind: 'inconclusive', reason: 'a', because: ['valid.received'] },
  { kind: 'not-applicable', reason: 'it was not chosen' },
  { kind: 'crashed', message: 'Error: no' },
];

test.each(judgements)('a judgement of a case is read as it was written: $kind', (verdict) => {
  const judgement = { case: 'valid.received', verdict };
  expect(caseJudgementSchema.parse(JSON.parse(JSON.stringify(judgement)))).toEqual(judgement);
});

test('what became of a burst is read as it was written', () => {
  const counts = { sent: 30, accepted: 28, refused: 1, unanswered: 1, eventsPerSecond: 15, seconds: 2 };
  const answers = { ...counts, p50Ms: 15, p95Ms: 28, p99Ms: 29, maxMs: null, lateMsMax: 0 };
  expect(burstAnswersSchema.parse(JSON.parse(JSON.stringify(answers)))).toEqual(answers);
});
