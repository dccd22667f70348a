import { describe, expect, it } from 'vitest';
import { clauses } from '../contract/clauses/registry.ts';
import { inconclusive, notApplicable, observed } from '../contract/verdict.ts';
import { renderJunit } from './junit.ts';
import { hostile, quoted, reportOf, violatedWith } from './testing/fixtures.ts';

/** Names of the elements in order of opening; throws where the text is not well-formed XML 1.0. */
function wellFormed(xml: string): readonly string[] {
  expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
  const token =
    /<\?xml[^?]*\?>|<\/([a-z-]+)>|<([a-z-]+)((?: [a-z]+="(?:[^"<&]|&(?:amp|lt|gt|quot|apos);)*")*) ?(\/?)>|((?:[^<&]|&(?:amp|lt|gt|quot|apos);)+)/y;
  const open: string[] = [];
  const names: string[] = [];
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (match === null) throw new Error(`not XML from character ${at} on: ${xml.slice(at, at + 80)}`);
    const [, closed, opened, , selfClosing] = match;
    if (closed !== undefined && open.pop() !== closed) throw new Error(`</${closed}> closes another element`);
    if (opened !== undefined) names.push(opened);
    if (opened !== undefined && selfClosing === '') open.push(opened);
  }
  expect(open).toEqual([]);
  return names;
}

const count = (names: readonly string[], name: string) => names.filter((one) => one === name).length;

describe('renderJunit', () => {
  it('holds one test case for each clause, in a suite for each section', () => {
    const names = wellFormed(renderJunit(reportOf()));
    expect(count(names, 'testcase')).toBe(clauses.length);
    expect(count(names, 'testsuite')).toBe(new Set(clauses.map(({ section }) => section)).size);
    expect(count(names, 'failure') + count(names, 'skipped') + count(names, 'error')).toBe(0);
  });

  it('distinguishes violated, crashed, inconclusive, not run, and shortcomings', () => {
    const xml = renderJunit(
      reportOf({
        'limits.standard': violatedWith([quoted()]),
        'limits.media': { kind: 'crashed', message: 'oops' },
        'headers.reset': inconclusive('a clock step'),
        'limits.per-key': notApplicable('one key'),
        'error.content-type': violatedWith([quoted()]),
        'version.prefix': observed('under /v1'),
      }),
    );
    const names = wellFormed(xml);
    expect([count(names, 'failure'), count(names, 'error'), count(names, 'skipped')]).toEqual([1, 2, 1]);
    expect(xml).toContain(
      `<testsuites name="messaging-conformance" tests="${clauses.length}" failures="1" errors="2" skipped="1"`,
    );
    expect(xml).toContain('<failure message="121 admitted within 312 ms" type="over-admission">');
    expect(xml).toContain('r1-42');
    expect(xml).toContain('<error message="a clock step" type="inconclusive"');
    expect(xml).toContain('<skipped message="not run: one key"');
    expect(xml).toContain('shortcoming: error.content-type');
  });

  it('skips what the baseline accepts, and what is open because of it', () => {
    const report = reportOf({
      'limits.media': violatedWith([quoted()]),
      'headers.reset': inconclusive('not judged', ['limits.media']),
    });
    const known = [{ clause: 'limits.media', reason: 'ticket 7', until: '2999-12-31' }];
    const xml = renderJunit({ ...report, baseline: { known, problems: [] } });
    const names = wellFormed(xml);
    expect([count(names, 'failure'), count(names, 'error'), count(names, 'skipped')]).toEqual([0, 0, 2]);
    expect(xml).toContain('accepted until 2999-12-31: ticket 7');
  });

  it('stays valid XML whatever a target says', () => {
    const exchange = quoted({ body: hostile, reset: hostile, requestId: hostile, path: hostile });
    const crashed = { kind: 'crashed', message: hostile } as const;
    const xml = renderJunit(
      reportOf(
        {
          'limits.standard': violatedWith([exchange], { observed: hostile }),
          'limits.media': crashed,
          'version.prefix': observed(hostile),
          'headers.reset': inconclusive(hostile),
        },
        { runId: hostile },
      ),
    );
    expect(count(wellFormed(xml), 'testcase')).toBe(clauses.length);
    expect(xml).not.toContain('<x');
    expect(xml).not.toMatch(/^\s*::[a-z]|##[a-z]*\[/im);
  });
});
