import { describe, expect, it } from 'vitest';
import type { BurstMeasure } from '../contract/judgement.ts';
import { noPictures } from '../contract/no-pictures.ts';
import { inconclusive, notApplicable, observed } from '../contract/verdict.ts';
import { buildReport } from './build-report.ts';
import { formatReport, reportSchema } from './result.ts';
import { judgementOf, quoted, reportOf, traceOf, violatedWith } from './testing/fixtures.ts';

const judgedAt = '2026-01-02T03:05:13.000Z';

const burst: BurstMeasure = {
  scenario: 'messages-burst',
  scope: 'messages',
  key: null,
  state: 'not-run',
  reason: 'no k6 was found',
  sent: 0,
  admitted: 0,
  limited: 0,
  unexpected: 0,
  spanMs: null,
};

describe('buildReport', () => {
  it('survives its own JSON: the schema keeps every field', () => {
    const report = reportOf({ 'limits.standard': violatedWith([quoted()]) });
    expect(reportSchema.parse(JSON.parse(formatReport(report)))).toEqual(report);
  });

  it('differs between two judgements of one trace in judgedAt alone', () => {
    const [trace, judgement] = [traceOf({}), judgementOf()];
    const first = buildReport({ identified: [], pictures: noPictures, trace, judgement, judgedAt });
    const later = buildReport({
      identified: [],
      pictures: noPictures,
      trace,
      judgement,
      judgedAt: '2027-01-01T00:00:00.000Z',
    });
    expect({ ...later, judgedAt }).toEqual(first);
  });

  it('counts by level and kind', () => {
    const report = reportOf({
      'limits.standard': violatedWith([quoted()]),
      'limits.per-key': notApplicable('one key'),
      'error.content-type': violatedWith([quoted()]),
      'version.prefix': observed('under /v1'),
    });
    expect(report.counts.must).toMatchObject({ violated: 1, 'not-applicable': 1 });
    expect(report.counts.should).toMatchObject({ violated: 1 });
    expect(report.counts.observe).toMatchObject({ observed: 1 });
    expect(report).toMatchObject({ outcome: 'not-conformant', exitCode: 1, durationSeconds: 67.5 });
  });

  it('says that a window is not the documented one', () => {
    expect(reportOf().window).toEqual({ ms: 60_000, documentedMs: 60_000, isDocumented: true });
    expect(reportOf({}, { windowMs: 5_000 }).window.isDocumented).toBe(false);
  });

  it('takes a clause without a verdict, and a verdict without a clause, for errors of this program', () => {
    const { clauses, ...rest } = judgementOf();
    const missing = buildReport({
      identified: [],
      pictures: noPictures,
      trace: traceOf({}),
      judgement: { ...rest, clauses: clauses.slice(1) },
      judgedAt,
    });
    expect(missing).toMatchObject({ outcome: 'error', exitCode: 4 });
    const unknown = [...clauses, { clause: 'no.such', verdict: observed('x') }];
    const extra = buildReport({
      identified: [],
      pictures: noPictures,
      trace: traceOf({}),
      judgement: { ...rest, clauses: unknown },
      judgedAt,
    });
    expect(extra.outcomeReasons).toEqual(['there is a verdict on "no.such", but no such clause']);
  });

  it('takes a trace without a last line for an incomplete run', () => {
    const report = buildReport({
      identified: [],
      pictures: noPictures,
      trace: traceOf({ end: null }),
      judgement: judgementOf(),
      judgedAt,
    });
    expect(report).toMatchObject({ complete: false, outcome: 'inconclusive', exitCode: 3, endedAt: null });
  });

  it('holds nothing against what was never seen to be the API', () => {
    const end = {
      kind: 'end',
      endedAt: judgedAt,
      complete: false,
      reason: 'a web page',
      stoppedBy: 'preflight',
    } as const;
    const judgement = judgementOf({ 'headers.present': violatedWith([quoted()]) });
    const report = buildReport({
      identified: [],
      pictures: noPictures,
      trace: traceOf({ end }),
      judgement,
      judgedAt,
    });
    expect(report).toMatchObject({ outcome: 'inconclusive', exitCode: 3 });
    expect(report.counts.must).toMatchObject({ violated: 0, held: 0 });
  });

  it('is inconclusive where a load scenario was not run, and says why', () => {
    const report = buildReport({
      identified: [],
      pictures: noPictures,
      trace: traceOf({}),
      judgement: { ...judgementOf(), bursts: [burst] },
      judgedAt,
    });
    expect(report.exitCode).toBe(3);
    expect(report.outcomeReasons).toEqual(['the load scenario messages-burst was not run: no k6 was found']);
  });

  it('lets an inconclusive should pass', () => {
    expect(reportOf({ 'error.content-type': inconclusive('no 429') }).outcome).toBe('conformant');
  });
});
