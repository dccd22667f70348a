import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { notWanted } from '../contract/clauses/load.ts';
import { clauses } from '../contract/clauses/registry.ts';
import type { GroupMeasure } from '../contract/judgement.ts';
import { inconclusive, notApplicable, observed } from '../contract/verdict.ts';
import { layoutOf } from './terminal/layout.ts';
import { measures } from './terminal/measures.ts';
import { renderTerminal } from './terminal.ts';
import { brokenOffReport, hostile, quoted, reportOf, violatedWith } from './testing/fixtures.ts';

const plain = { columns: 80, colour: 'never' } as const;
const mustTotal = clauses.filter(({ level }) => level === 'must').length;
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

describe('renderTerminal', () => {
  it('names every clause once, under its section', () => {
    const text = renderTerminal(reportOf(), plain);
    for (const { id } of clauses)
      expect(text.split('\n').filter((line) => line.split(/\s+/)[1] === id)).toHaveLength(1);
    expect(text).toMatch(/\nErrors\n/);
  });

  it.each([80, 100, 140, 200])('keeps to %i columns, however long the evidence', (columns) => {
    const long = 'word '.repeat(400);
    const report = reportOf({
      'limits.media': observed(long),
      'headers.reset': violatedWith([quoted()], { observed: long }),
    });
    const lines = renderTerminal(report, { columns, colour: 'never' }).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('puts evidence on the line of its clause where there is room', () => {
    const report = reportOf({ 'limits.media': observed('thirty') });
    expect(renderTerminal(report, { columns: 140, colour: 'never' })).toMatch(/limits\.media .* thirty\n/);
    expect(renderTerminal(report, plain)).toMatch(/limits\.media .*\n +thirty\n/);
  });

  it('shows a violation in full: expected, observed, exchanges with times and request ids', () => {
    const exchanges = [
      quoted({ status: 200, body: null }),
      quoted({ sentMs: 312, receivedMs: null, requestId: 'r1-43' }),
    ];
    const text = renderTerminal(reportOf({ 'limits.standard': violatedWith(exchanges) }), plain);
    expect(text).toContain('limits.standard: More requests pass than the limit allows');
    expect(text).toMatch(/expected +at most 120 admitted in any 60 s/);
    expect(text).toMatch(/observed +121 admitted within 312 ms/);
    expect(text).toMatch(/\+0\.000 s +\+0\.003 s +200 +120 +0 +1767323105 +r1-42/);
    expect(text).toMatch(/\+0\.312 s +never +429 +120 +0 +1767323105 +r1-43/);
  });

  it('ends with the verdict, its counts and how long it took', () => {
    expect(lastLine(renderTerminal(reportOf(), plain))).toBe(
      `CONFORMANT: ${mustTotal} of ${mustTotal} clauses held; 67.5 s`,
    );
    const mixed = reportOf({
      'limits.standard': violatedWith([quoted()]),
      'limits.media': inconclusive('too slow'),
      'error.content-type': violatedWith([quoted()]),
      'version.prefix': observed('/v1'),
    });
    expect(lastLine(renderTerminal(mixed, plain))).toBe(
      `NOT CONFORMANT: ${mustTotal - 2} of ${mustTotal} clauses held, 1 violated, 1 inconclusive, 1 shortcoming, 1 observed; 67.5 s`,
    );
  });

  it('says what a light run and another window do not prove', () => {
    const report = reportOf({ 'limits.media': notApplicable('light') }, { mode: 'light', windowMs: 5_000 });
    const text = renderTerminal(report, { columns: 200, colour: 'never' });
    expect(text).toContain('Light run: 1 clause was not run; it proves nothing about the limits.');
    expect(text).toContain('The window was 5 s, not the documented 60 s');
  });

  it.each([
    ['full', '--load all'],
    ['load', 'conformance load all'],
  ] as const)('says what runs the scenarios that a %s run left out: %s', (mode, what) => {
    const text = renderTerminal(reportOf({ 'load.nodes': notApplicable(notWanted) }, { mode }), plain);
    expect(text).toContain(`1 load scenario was left out: ${what} runs them.`);
  });

  it('does not advise what was tried: it says why a scenario is not possible here', () => {
    const text = renderTerminal(reportOf({ 'load.nodes': notApplicable('not possible here: one URL') }), {
      columns: 200,
      colour: 'never',
    });
    expect(text).toContain('The load scenario nodes was not run: not possible here: one URL.');
    expect(text).not.toContain('--load all');
  });

  it('says only why, where a run broke off before anything could be judged', () => {
    const text = renderTerminal(brokenOffReport(), plain);
    expect(text).toContain('The run is incomplete: nobody listens');
    expect(text).not.toContain('limits.media ');
  });

  it('colours where asked, and changes nothing else', () => {
    const report = reportOf({ 'limits.standard': violatedWith([quoted()]) });
    const coloured = renderTerminal(report, { columns: 80, colour: 'always' });
    expect(coloured).not.toBe(renderTerminal(report, plain));
    expect(stripVTControlCharacters(coloured)).toBe(renderTerminal(report, plain));
  });

  it('makes what a target says harmless', () => {
    const exchange = quoted({
      body: hostile,
      reset: hostile,
      limit: 'x'.repeat(1_000_000),
      requestId: hostile,
      path: hostile,
    });
    const verdict = violatedWith([exchange], { observed: hostile + 'x'.repeat(1_000_000) });
    const report = reportOf({ 'headers.reset': verdict, 'version.prefix': observed(hostile) });
    const text = renderTerminal(report, plain);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(text).not.toMatch(/^\s*::[a-z]|##[a-z]*\[/im);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('measures of very many keys', () => {
  it('shows the busiest, and the others in one line', () => {
    const group = (at: number): GroupMeasure => ({
      scope: 'standard',
      key: `key-${at}`,
      sent: at === 500 ? 90 : 2,
      admitted: 2,
      limited: 0,
      refused: 0,
      indeterminate: 0,
      windowMs: null,
      rejections: 'unknown',
      latencyMs: null,
    });
    const groups = Array.from({ length: 1_000 }, (_, at) => group(at));
    const lines = measures({ ...reportOf(), groups }, layoutOf({ columns: 80, colour: 'never' }));
    expect(lines.filter((line) => line.startsWith('standard'))).toHaveLength(29);
    expect(lines.join('\n')).toMatch(/^standard +key-500 +90 /m);
    expect(lines).toContain('and 971 more: 1942 sent, 1942 admitted, 0 limited, 0 other');
  });
});
