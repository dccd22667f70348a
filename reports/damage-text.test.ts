import { expect, test } from 'vitest';
import type { Damage } from '../contract/verdict.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { findingsSections } from './page/findings-section.ts';
import { renderTerminal } from './terminal.ts';
import { quoted, reportOf, violatedWith } from './testing/fixtures.ts';

const worst: readonly (readonly [Damage, string])[] = [
  [
    { kind: 'admitted', most: 240, withinMs: 4_100, limit: 120 },
    '240 admitted within 4.1 s, 2.0 × the limit',
  ],
  [
    { kind: 'admitted', most: 31, withinMs: 5, limit: 30 },
    '31 admitted within 5.0 ms, 1 more than the limit',
  ],
  [
    { kind: 'refused', refusals: 17, fewestBefore: 3, limit: 120 },
    '17 requests refused that had room; one of them with at most 3 of 120 places taken',
  ],
];

test.each(worst)('the worst stands beside the smallest proof in every report: %j', (damage, text) => {
  const plain = reportOf({ 'limits.media': violatedWith([quoted()], { damage }) });
  const certificate = 'evidence/limits.media.json';
  const clauses = plain.clauses.map((one) => (one.id === 'limits.media' ? { ...one, certificate } : one));
  const report = { ...plain, clauses };
  const rendered = [
    renderTerminal(report, { columns: 120, colour: 'never' }),
    renderJunit(report),
    renderMarkdown(report),
    findingsSections(report).markup,
  ];
  for (const one of rendered) {
    expect(one).toContain(text);
    expect(one).toContain(certificate);
  }
});
