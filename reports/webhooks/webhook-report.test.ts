import { describe, expect, it } from 'vitest';
import type { ClauseJudgement } from '../../contract/judgement.ts';
import { noPictures } from '../../contract/no-pictures.ts';
import { held, inconclusive, observed, violated } from '../../contract/verdict.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import type { JudgedWebhooks } from '../../contract/webhooks/judged.ts';
import { captured } from '../../contract/webhooks/testing/captured.ts';
import {
  assembleWebhookTrace,
  type Delivery,
  type WebhookTrace,
  type WebhookTraceLine,
  webhookTraceSchemaVersion,
} from '../../contract/webhooks/trace.ts';
import { renderBadge } from '../badge.ts';
import type { Baseline } from '../baseline/baseline.ts';
import { buildReport } from '../build-report.ts';
import { renderJunit } from '../junit.ts';
import { renderMarkdown } from '../markdown.ts';
import { renderVerdict } from '../terminal/summary.ts';
import { renderTerminal } from '../terminal.ts';
import { judgementOf, traceOf } from '../testing/fixtures.ts';
import { buildWebhookReport } from './build-webhook-report.ts';
import { renderWebhookJunit } from './webhook-junit.ts';
import { formatWebhookReport, webhookReportSchema } from './webhook-result.ts';
import { renderWebhookTerminal } from './webhook-terminal.ts';

const header: WebhookTraceLine = {
  kind: 'webhook-trace',
  schemaVersion: webhookTraceSchemaVersion,
  tool: { name: 'messaging-conformance', version: '0' },
  runId: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  url: 'http://127.0.0.1:1/',
};

const end: WebhookTraceLine = {
  kind: 'end',
  endedAt: '2026-01-01T00:00:09.000Z',
  complete: true,
  reason: null,
};

const delivery = captured({
  arrivedMs: Date.parse('2026-01-01T00:00:01.000Z'),
  completeMs: Date.parse('2026-01-01T00:00:01.000Z'),
  answeredMs: Date.parse('2026-01-01T00:00:01.002Z'),
});

const broken = violated('number-form', {
  expected: 'digits only',
  observed: 'sender is "+1\u001b[31m"',
  exchanges: [
    {
      requestId: 'delivery 0',
      purpose: 'webhook',
      method: 'POST',
      path: '/hooks',
      scope: 'webhook',
      key: null,
      sentMs: 0,
      receivedMs: 2,
      status: 200,
      limit: null,
      remaining: null,
      reset: null,
      body: `{"event":"message.read","data":"${'x'.repeat(120)}"}`,
    },
  ],
  exchangesTotal: 7,
});

const long = `HMAC-SHA256 over ${'the exact bytes '.repeat(12)}of the body`;

const noOthers = { total: 0, marked: 0, listed: [] } as const;

function countsOf(deliveries: readonly Delivery[]): JudgedWebhooks['deliveries'] {
  const byAnswer = { ok: 0, slow: 0, error: 0, limited: 0, gone: 0, none: 0, other: 0 };
  for (const { answer } of deliveries) byAnswer[answer] += 1;
  const brokenOff = deliveries.filter(({ completeMs }) => completeMs === null).length;
  return { total: deliveries.length, brokenOff, byAnswer };
}

function reportOf(
  change: Readonly<Record<string, ClauseJudgement['verdict']>>,
  lines: readonly WebhookTraceLine[],
  more: {
    readonly judged?: Partial<JudgedWebhooks>;
    readonly header?: Partial<WebhookTrace['header']>;
  } = {},
) {
  const trace = assembleWebhookTrace([header, ...lines]);
  return buildWebhookReport({
    trace: { ...trace, header: { ...trace.header, ...more.header } },
    judged: {
      judgements: webhookClauses.map(({ id, level }) => ({
        clause: id,
        verdict: change[id] ?? (level === 'must' ? held('1 delivery') : observed(long)),
      })),
      path: '/hooks',
      deliveries: countsOf(trace.deliveries),
      others: noOthers,
      lastMs: trace.deliveries.at(-1)?.arrivedMs ?? null,
      signatures: null,
      ...more.judged,
    },
    secretsGiven: (more.judged?.signatures ?? null) === null ? 0 : 1,
    judgedAt: '2026-01-01T00:00:10.000Z',
  });
}

describe('the report on deliveries', () => {
  it('is conformant where every must clause held, and reads as its schema says', () => {
    const report = reportOf({}, [delivery, end]);
    expect(report).toMatchObject({ outcome: 'conformant', exitCode: 0, durationSeconds: 9 });
    expect(webhookReportSchema.parse(JSON.parse(formatWebhookReport(report)))).toEqual(report);
  });

  it.each([
    [
      'a violation',
      { 'webhook.numbers': broken },
      [delivery, end],
      { outcome: 'not-conformant', exitCode: 1 },
    ],
    [
      'a clause left open',
      { 'webhook.numbers': inconclusive('none') },
      [delivery, end],
      { outcome: 'inconclusive', exitCode: 3 },
    ],
    [
      'a crashed judge',
      { 'webhook.numbers': { kind: 'crashed', message: 'x' } as const },
      [delivery, end],
      { outcome: 'error', exitCode: 4 },
    ],
    ['a capture that died', {}, [delivery], { outcome: 'inconclusive', exitCode: 3 }],
  ])('%s decides', (_what, change, lines, expected) => {
    expect(reportOf(change, lines)).toMatchObject(expected);
  });

  it('fits 80 columns, shows what arrived, and says all that is observed', () => {
    const text = renderWebhookTerminal(reportOf({ 'webhook.numbers': broken }, [delivery, end]), {
      columns: 80,
      colour: 'never',
    });
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(text).toContain(
      '  7 deliveries show it, the first of them:\n    delivery 0: POST /hooks, answered 200 after 0.002 s\n',
    );
    expect(text.replaceAll(/\s+/g, ' ')).toContain(long);
    expect(text).not.toContain('\u001b');
    expect(text).toMatch(
      /Signatures were not verified.*\n.*\nNOT CONFORMANT: 11 of 12 clauses held, 1 violated, 8 observed; 9\.0 s\n$/,
    );
  });

  it('says that nothing arrived, in place of twenty open clauses', () => {
    const text = renderWebhookTerminal(reportOf({}, [end]), { columns: 80, colour: 'never' });
    expect(text).toContain('Nothing arrived: is this the address that the deployment sends to?');
    expect(text).not.toContain('webhook.numbers');
  });

  it('counts what came and is no delivery', () => {
    const unheard = { kind: 'unheard', dropped: 12, silent: 1, unreadable: 3 } as const;
    const report = reportOf({}, [delivery, unheard, end]);
    expect(report.deliveries.unheard).toEqual({ dropped: 12, silent: 1, unreadable: 3 });
    const text = renderWebhookTerminal(report, { columns: 80, colour: 'never' }).replaceAll(/\s+/g, ' ');
    expect(text).toContain('12 connections dropped: too many were open at a time (--max-connections).');
    expect(text).toContain('1 connection closed: no whole request came in time.');
    expect(text).toContain('3 connections closed: what came is no HTTP; does the sender use https://');
  });

  it('is read by CI as one failure', () => {
    const xml = renderWebhookJunit(reportOf({ 'webhook.numbers': broken }, [delivery, end]));
    expect(xml.match(/<failure /g)).toHaveLength(1);
    expect(xml).toContain('name="webhook.numbers: numbers are digits only"');
  });
});

describe('what is said of requests that are no webhooks', () => {
  const other = (method: string, path: string, count = 1) => ({ method, path, count });
  const textOf = (report: ReturnType<typeof reportOf>): string =>
    renderWebhookTerminal(report, { columns: 80, colour: 'never' }).replaceAll(/\s+/g, ' ');

  it('names them, and the path that is judged', () => {
    const others = { total: 3, marked: 1, listed: [other('GET', '/favicon.ico', 2), other('POST', '/b')] };
    const report = reportOf({}, [delivery, end], { judged: { others } });
    expect(report).toMatchObject({
      outcome: 'conformant',
      judgedPath: '/hooks',
      otherRequests: { total: 3, marked: 1, listed: [{ path: '/favicon.ico', count: 2 }, { path: '/b' }] },
    });
    expect(textOf(report)).toContain(
      'Judged is what came to /hooks, as most webhooks did. 3 other requests are not judged: 2 × GET /favicon.ico, ' +
        '1 × POST /b. 1 of them looks like a webhook: --path names the path whose webhooks are judged.',
    );
    expect(
      textOf(reportOf({}, [delivery, end], { judged: { others }, header: { path: '/hooks' } })),
    ).toContain('Judged is what came to /hooks. 3 other');
    expect(textOf(reportOf({}, [delivery, end]))).not.toContain('Judged is');
  });

  it('says where nothing but they arrived', () => {
    const report = reportOf({}, [end], {
      judged: {
        path: null,
        deliveries: countsOf([]),
        others: { ...noOthers, total: 1, listed: [other('GET', '/')] },
      },
    });
    expect(textOf(report)).toContain('Nothing that arrived looks like a webhook.');
    expect(textOf(report)).toContain('1 other request is not judged: 1 × GET /.');
  });

  it('escapes what a stranger wrote', () => {
    const report = reportOf({}, [delivery, end], {
      judged: { others: { ...noOthers, total: 1, listed: [other('GET', '/\u001b[31m')] } },
    });
    expect(textOf(report)).not.toContain('\u001b');
  });
});

describe('signatures that no secret gives', () => {
  const none = { judged: { signatures: { whole: 9, fitting: 0 } } };
  const firstLine = (report: ReturnType<typeof reportOf>): string =>
    renderWebhookTerminal(report, { columns: 80, colour: 'never' }).split('\n')[0] ?? '';

  it('are the first thing that is said, where none fits', () => {
    expect(firstLine(reportOf({}, [delivery, end], none))).toBe(
      'NO SIGNATURE FITS: the secret gives none of 9 deliveries their signature.',
    );
    const some = { judged: { signatures: { whole: 9, fitting: 1 } } };
    expect(firstLine(reportOf({}, [delivery, end], some))).toBe('webhooks received at http://127.0.0.1:1/');
  });

  it.each([
    ['were not required', none, 'conformant'],
    ['were required', { ...none, header: { requireSignature: true } }, 'not-conformant'],
    [
      'were required, and all but one fit',
      { header: { requireSignature: true }, judged: { signatures: { whole: 9, fitting: 8 } } },
      'not-conformant',
    ],
    [
      'were required, and all fit',
      { header: { requireSignature: true }, judged: { signatures: { whole: 9, fitting: 9 } } },
      'conformant',
    ],
  ] as const)('decide where they %s', (_what, more, outcome) => {
    expect(reportOf({}, [delivery, end], more).outcome).toBe(outcome);
  });
});

describe('webhooks in the report on a run', () => {
  const built = (webhooks: ReturnType<typeof reportOf>, baseline: Baseline | null = null) =>
    buildReport({
      trace: traceOf({}),
      judgement: judgementOf(),
      identified: [],
      pictures: noPictures,
      judgedAt: '2026-01-02T03:05:13.000Z',
      webhooks,
      baseline,
    });

  it('decide with the other clauses, and are shown where they are not as they should be', () => {
    const report = built(reportOf({ 'webhook.numbers': broken }, [delivery, end]));
    expect(report).toMatchObject({
      outcome: 'not-conformant',
      outcomeReasons: ['violated: webhook.numbers'],
    });
    const text = renderTerminal(report, { columns: 80, colour: 'never' });
    expect(text).toContain('1 delivery at a receiver of this program: 11 of 12 clauses held, 1 violated');
    expect(text).toContain('webhook.numbers: A phone number has characters that are no digits');
    expect(renderMarkdown(report)).toContain(
      '`webhook.numbers` VIOLATED: **A phone number has characters that are no digits',
    );
    expect(renderJunit(report).match(/<failure /g)).toHaveLength(1);
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('are counted where the verdict is said in a line, and on the badge', () => {
    const report = built(reportOf({ 'webhook.numbers': broken }, [delivery, end]));
    expect(renderVerdict(report, { columns: 80, colour: 'never' })).toMatch(
      /^NOT CONFORMANT: \d+ of \d+ clauses held, 1 violated on webhooks;/,
    );
    expect(JSON.parse(renderBadge(report)).message).toBe('1 violated');
    const open = built(reportOf({ 'webhook.numbers': inconclusive('lost') }, [delivery, end]));
    expect(renderVerdict(open, { columns: 80, colour: 'never' })).toContain('1 inconclusive on webhooks;');
  });

  it('are shown of a run that broke off before any limit was reached', () => {
    const webhooks = reportOf({ 'webhook.numbers': broken }, [delivery, end]);
    const report = { ...built(webhooks), complete: false, groups: [] };
    expect(renderTerminal(report, { columns: 80, colour: 'never' })).toContain('webhook.numbers');
  });

  it('are accepted by a baseline that lists them', () => {
    const listed = { clause: 'webhook.numbers', reason: 'ticket 7', until: '2026-12-31' };
    const webhooks = reportOf({ 'webhook.numbers': broken }, [delivery, end]);
    const report = built(webhooks, { schemaVersion: 1, deviations: [listed] });
    expect([report.outcome, report.baseline?.known]).toEqual(['conformant', [listed]]);
    const xml = renderJunit(report);
    expect(xml).not.toContain('<failure ');
    expect(xml).toContain('<skipped message="accepted until 2026-12-31: ticket 7: ');
    const held = built(reportOf({}, [delivery, end]), { schemaVersion: 1, deviations: [listed] });
    expect(held.outcomeReasons).toEqual([expect.stringContaining('webhook.numbers holds')]);
  });

  it('say nothing where they held, except for what is observed', () => {
    const report = built(reportOf({}, [delivery, end]));
    expect(report.outcome).toBe('conformant');
    expect(renderTerminal(report, { columns: 80, colour: 'never' })).not.toContain('webhook.numbers');
  });

  it('name requests that are no webhooks in Markdown and in JUnit, escaped', () => {
    const others = { total: 2, marked: 0, listed: [{ method: 'GET', path: '/<b>', count: 2 }] };
    const capture = reportOf({}, [delivery, end], { judged: { others } });
    const report = built(capture);
    expect(renderMarkdown(report)).toContain('2 other requests are not judged: 2 × GET /&lt;b&gt;');
    for (const xml of [renderJunit(report), renderWebhookJunit(capture)])
      expect(xml).toMatch(/name="otherRequests" value="Judged is .*2 × GET \/&lt;b/);
    expect(renderMarkdown(built(reportOf({}, [delivery, end])))).not.toContain('other request');
  });
});
