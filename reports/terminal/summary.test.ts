import { describe, expect, it } from 'vitest';
import { clauses } from '../../contract/clauses/registry.ts';
import { inconclusive, observed } from '../../contract/verdict.ts';
import { brokenOffReport, hostile, quoted, reportOf, violatedWith } from '../testing/fixtures.ts';
import { renderSummary, renderVerdict } from './summary.ts';

const plain = { columns: 80, colour: 'never' } as const;
const mustTotal = clauses.filter(({ level }) => level === 'must').length;

describe('the summary of a run', () => {
  it('is the verdict where there is nothing to say', () => {
    expect(renderSummary(reportOf(), plain)).toBe(
      `CONFORMANT: ${mustTotal} of ${mustTotal} clauses held; 67.5 s\n`,
    );
  });

  it('begins with the verdict, then says each violation in plain words, the deciding ones first', () => {
    const report = reportOf({
      'error.content-type': violatedWith([quoted()]),
      'limits.standard': violatedWith([quoted()]),
      'version.prefix': observed('/v1'),
    });
    const [verdict, ...lines] = renderSummary(report, plain).split('\n');
    expect(verdict).toMatch(/^NOT CONFORMANT: .* 1 violated, 1 shortcoming, 1 observed; 67\.5 s$/);
    expect(lines[0]).toBe('VIOLATED      limits.standard: More requests pass than the limit allows. The');
    expect(lines[1]).toBe('              limit does not protect the service.');
    expect(lines[5]).toMatch(/^shortcoming {3}error\.content-type: /);
    expect(lines.join('\n')).not.toContain('version.prefix');
  });

  it('says of what is violated the figures, and by which requests they are shown', () => {
    const shown = [42, 43, 97].map((n, at) => quoted({ requestId: `r1-${n}`, sentMs: at * 600 }));
    const { evidence } = violatedWith(shown) as { evidence: object };
    const verdict = {
      kind: 'violated',
      reason: 'over-admission',
      evidence: { ...evidence, exchangesTotal: 121 },
    };
    const report = reportOf({ 'limits.standard': verdict as never, 'error.shape': violatedWith([quoted()]) });
    const lines = renderSummary(report, plain).split('\n');
    expect(lines.slice(3, 6)).toEqual([
      '              expected  at most 120 admitted in any 60 s',
      '              observed  121 admitted within 312 ms',
      '              shown by  requests 42, 43, 97 and 118 more, over 1.2 s',
    ]);
    expect(lines.slice(6).join('\n')).toContain('shown by  request 42\n');
  });

  it('shows the figures of as many violations as fit, and of all says what fails', () => {
    const musts = clauses.filter(({ level }) => level === 'must');
    const text = renderSummary(
      reportOf(Object.fromEntries(musts.map(({ id }) => [id, violatedWith([quoted()])]))),
      plain,
    );
    expect(text.match(/^VIOLATED/gm)).toHaveLength(musts.length);
    expect(text.match(/ observed {2}/g)).toHaveLength(8);
  });

  it('has shorter lines on a narrow terminal, and moves the figures to the left there', () => {
    const text = renderSummary(reportOf({ 'limits.standard': violatedWith([quoted()]) }), {
      columns: 50,
      colour: 'never',
    });
    const [, ...lines] = text.split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(50);
    expect(lines).toContain('  observed  121 admitted within 312 ms');
  });

  it('says what is open once for each reason, and what only follows from a violation', () => {
    const report = reportOf({
      'limits.standard': violatedWith([quoted()]),
      'limits.media': inconclusive('too slow'),
      'limits.messages': inconclusive('too slow'),
      'window.length': inconclusive('not judged: limits.standard is violated', ['limits.standard']),
      'window.granularity': inconclusive('no must'),
    });
    const text = renderSummary(report, plain);
    expect(text).toContain('\ninconclusive  limits.messages, limits.media: too slow\n');
    expect(text).toContain('\ninconclusive  window.length: not judged, because of what is violated\n');
    expect(text).not.toContain('window.granularity');
  });

  it('shows as many reasons as fit, and names the others', () => {
    const musts = clauses.filter(({ level }) => level === 'must');
    const open = Object.fromEntries(musts.map(({ id }, at) => [id, inconclusive(`reason ${at}`)]));
    const text = renderSummary(reportOf(open), plain);
    expect(text.match(/reason \d+/g)).toHaveLength(7);
    for (const { id } of musts) expect(text.replaceAll(/\s+/g, ' ')).toContain(id);
  });

  it('gives the reason alone where a run broke off before anything was judged', () => {
    const text = renderSummary(brokenOffReport(), plain);
    expect(text).toContain('The run is incomplete: nobody listens');
    expect(text).not.toContain('limits.media');
  });

  it('keeps to its columns, and makes what a target says harmless', () => {
    const report = reportOf({ 'limits.media': inconclusive(hostile + 'word '.repeat(400)) });
    const text = renderSummary(report, plain);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
  });

  it('is the first line alone where that is wanted', () => {
    const report = reportOf({ 'limits.standard': violatedWith([quoted()]) });
    expect(renderVerdict(report, plain)).toBe(`${renderSummary(report, plain).split('\n', 1).join('')}\n`);
  });

  it('is the first line and the reason alone of a run that broke off', () => {
    const text = renderVerdict(brokenOffReport(), plain);
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toMatch(/^INCONCLUSIVE: .*\nThe run is incomplete: nobody listens/);
  });
});
