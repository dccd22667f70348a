import { expect, test } from 'vitest';
import type { Document } from '../contract/document/document.ts';
import { premisesText } from './premises.ts';
import type { Report } from './result.ts';
import { reportOf } from './testing/fixtures.ts';

function premisesOf(changed: Partial<Report['deployment']>): string {
  const report = reportOf();
  return premisesText({ ...report, deployment: { ...report.deployment, ...changed } });
}

/** A document with one scope, or two, that have figures by the second or not. */
function documentOf(...figures: readonly (number | undefined)[]): Document {
  const { document } = reportOf().deployment;
  const scopes = Object.fromEntries(
    figures.map((perSecond, at) => [`scope-${at}`, { title: 'x', limit: 40, perSecond }]),
  );
  return { ...document, scopes };
}

test('premises say how the figures by the second of the document are read, each with its scope', () => {
  expect(premisesOf({})).toContain(
    'Figures by the second (2 of standard, 5 of messages) are averages of the limits, unless only a limit per second explains the answers (perSecond is not set).',
  );
  const document = documentOf(undefined, 4);
  expect(premisesOf({ document, perSecond: 'average' })).toContain(
    'Figures by the second (4 of scope-1) are averages of the limits (perSecond: average).',
  );
  expect(premisesOf({ document, perSecond: 'cap' })).toContain(
    'Figures by the second (4 of scope-1) are limits of their own (perSecond: cap).',
  );
});

test('premises say nothing of figures that a document does not have', () => {
  expect(premisesOf({ document: documentOf(undefined) })).toMatch(
    /^The verdicts assume that the keys have no other user\. Nothing between/,
  );
});

test('premises say who asked where no key was sent', () => {
  expect(premisesOf({ keyEnv: [] })).toMatch(
    /^No key was sent: key A is this client\. The verdicts assume that nobody else asks from its address\./,
  );
  expect(premisesOf({ keyEnv: [], exclusiveKeys: false })).toContain('that others may ask from its address.');
});
