import { describe, expect, it } from 'vitest';
import { driveCases } from '../../contract/webhooks/drive/registry.ts';
import { type DriveTrace, driveTraceSchemaVersion } from '../../contract/webhooks/drive/trace.ts';
import type { CaseJudgement, DriveVerdict } from '../../contract/webhooks/drive/verdict.ts';
import { buildDriveReport } from './build-drive-report.ts';
import { renderDriveJunit } from './drive-junit.ts';
import { type DriveReport, driveReportSchema, formatDriveReport } from './drive-result.ts';
import { renderDriveTerminal } from './drive-terminal.ts';

const startedAt = '2026-01-01T00:00:00.000Z';
const burst = { eventsPerSecond: 15, seconds: 10 };
const header: DriveTrace['header'] = {
  kind: 'webhook-drive',
  schemaVersion: driveTraceSchemaVersion,
  tool: { name: 'test', version: '0' },
  runId: 'r',
  startedAt,
  target: 'http://127.0.0.1:3000/hooks',
  secretEnv: ['HOOK'],
  effects: null,
  budgetMs: 5_000,
  effectsWaitMs: 0,
  burst,
  cases: driveCases.map(({ id }) => id),
};
const ended = { kind: 'end', endedAt: '2026-01-01T00:00:12.500Z', complete: true, reason: null } as const;

const violated: DriveVerdict = {
  kind: 'violated',
  reason: 'accepted',
  observed: 'it was answered 200',
  likely: 'nothing is verified',
  deliveries: [
    {
      index: 7,
      name: 'sha1',
      messageId: 'msg_r_forged.sha1_sha1',
      sentMs: 0,
      answeredAfterMs: 3.2,
      status: 200,
      said: 'ok\u001b[31m',
    },
  ],
  deliveriesTotal: 3,
};
const held: DriveVerdict = { kind: 'held', summary: '200, within 3 ms' };

type Change = Readonly<Record<string, CaseJudgement['verdict']>>;

function reportOf(change: Change, trace: Partial<DriveTrace> = {}): DriveReport {
  return buildDriveReport({
    trace: { header, deliveries: [], effects: [], notes: [], end: ended, ...trace },
    judgement: {
      cases: driveCases.map(({ id }) => ({ case: id, verdict: change[id] ?? held })),
      burst: {
        sent: 150,
        accepted: 148,
        refused: 1,
        unanswered: 1,
        ...burst,
        p50Ms: 2.34,
        p95Ms: 12.3,
        p99Ms: 40,
        maxMs: 41,
        lateMsMax: 1,
      },
    },
    judgedAt: startedAt,
  });
}

const textOf = (report: DriveReport, columns = 80): string =>
  renderDriveTerminal(report, { columns, colour: 'never' });

describe('the outcome', () => {
  const open: DriveVerdict = { kind: 'inconclusive', reason: 'x', because: [] };
  const notAssessed: DriveVerdict = { kind: 'not-applicable', reason: 'no effects URL' };

  it.each([
    ['all passed', {}, 0, 'PASSED: 46 of 46 cases passed; 12.5 s'],
    ['a failure', { 'forged.non-hex': violated }, 1, 'FAILED: 45 of 46 cases passed, 1 failed; 12.5 s'],
    [
      'a shortcoming',
      { 'connection.held': violated },
      0,
      'PASSED: 45 of 46 cases passed, 1 shortcoming; 12.5 s',
    ],
    ['an open case', { 'forged.non-hex': open }, 3, 'OPEN: 45 of 46 cases passed, 1 open; 12.5 s'],
    [
      'effects left out',
      { 'effect.forged': notAssessed },
      0,
      'PASSED: 45 of 45 cases passed, 1 not assessed; 12.5 s',
    ],
    [
      'a crashed judge',
      { 'forged.non-hex': { kind: 'crashed', message: 'x' } },
      4,
      'ERROR: 45 of 46 cases passed, 1 crashed; 12.5 s',
    ],
  ] as const)('%s', (_what, change, exitCode, says) => {
    const report = reportOf(change);
    expect(report.exitCode).toBe(exitCode);
    expect(textOf(report).trimEnd().split('\n').at(-1)).toBe(says);
  });

  it('a run that died is open, whatever passed before', () => {
    const report = reportOf({}, { end: null });
    expect(report.exitCode).toBe(3);
    expect(textOf(report)).toContain('the run died before');
  });
});

describe('the terminal', () => {
  it('shows a failure with all that it takes to mend it, and nothing that the receiver could draw', () => {
    const text = textOf(reportOf({ 'forged.non-hex': violated }));
    expect(text).toContain('forged.non-hex: a signature that is not hex (accepted)');
    expect(text).toContain('  likely    nothing is verified');
    expect(text).toMatch(/sha1 +200 +4 ms +7 +msg_r_forged\.sha1_sha1/);
    expect(text).toContain('ok\\x1b[31m');
    expect(text).toContain('and 2 more in the trace');
  });

  it.each([80, 160])('keeps to %i columns', (columns) => {
    const text = textOf(reportOf({ 'forged.non-hex': violated, 'connection.held': violated }), columns);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('says what a whole group has in common once', () => {
    const open: DriveVerdict = { kind: 'inconclusive', reason: 'rests on it', because: ['valid.received'] };
    const change = Object.fromEntries(driveCases.slice(1).map(({ id }) => [id, open]));
    expect(textOf(reportOf({ ...change, 'valid.received': violated }))).toMatch(
      /Forgeries\nopen +all 15\n +rests on it \(because of valid\.received\)\n/,
    );
  });

  it('tells a cause that several failures have once, with the failures', () => {
    const other = { ...violated, observed: 'it was answered 204' };
    const change = { 'forged.truncated': violated, 'forged.non-hex': other, 'forged.no-prefix': violated };
    const text = textOf(reportOf({ ...change, 'connection.held': { ...violated, likely: 'slowness' } }));
    expect(text.match(/nothing is verified/g)).toHaveLength(1);
    expect(text).toMatch(
      /Failed\n\n3 cases, one likely cause: nothing is verified\n +shortcoming +forged\.no-prefix: it was answered 200\n +FAILED +forged\.truncated: it was answered 200\n +FAILED +forged\.non-hex: it was answered 204\n/,
    );
    expect(text).toMatch(/Shortcomings[^\n]*\n\nconnection\.held: /);
  });

  it('says what most of a group have in common once', () => {
    const open: DriveVerdict = { kind: 'inconclusive', reason: 'no one looked', because: [] };
    const some = ['no-signature', 'sha1', 'non-hex'].map((name) => [`forged.${name}`, open] as const);
    const text = textOf(reportOf(Object.fromEntries(some)));
    expect(text).toMatch(/Forgeries\nopen +3 of 15\n +no one looked\n/);
    expect(text.match(/no one looked/g)).toHaveLength(1);
    const two = textOf(reportOf(Object.fromEntries(some.slice(1))));
    expect(two.match(/no one looked/g)).toHaveLength(2);
  });

  it('shows the percentiles of the burst', () => {
    expect(textOf(reportOf({}))).toContain('p50 2.3 ms   p95 12 ms   p99 40 ms   slowest 41 ms');
    expect(textOf(reportOf({}), 120)).toContain(
      '148 accepted, 1 answered with another status, 1 not answered',
    );
  });

  it('leaves out what was not chosen, and says so', () => {
    const chosen = { ...header, cases: ['valid.received'] };
    const text = textOf(reportOf({}, { header: chosen }));
    expect(text).not.toContain('forged');
    expect(text).toContain('1 of 46 cases was chosen');
  });
});

describe('files', () => {
  it('report.json is what its schema says', () => {
    const report = reportOf({ 'forged.non-hex': violated });
    expect(driveReportSchema.parse(JSON.parse(formatDriveReport(report)))).toEqual(report);
  });

  it('junit.xml has a test case for each case', () => {
    const notAssessed: DriveVerdict = { kind: 'not-applicable', reason: 'x' };
    const xml = renderDriveJunit(
      reportOf({ 'forged.non-hex': violated, 'connection.held': violated, 'effect.forged': notAssessed }),
    );
    expect(xml).toMatch(/<testsuites[^>]* tests="46" failures="1" errors="0" skipped="1"/);
    expect(xml).toContain('shortcoming: connection.held');
  });
});
