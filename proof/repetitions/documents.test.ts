import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { needing } from '../../testing/needs.ts';
import { faultsOf, readExamples } from '../documents/examples.ts';
import { type RepeatedViolation, repetitionAt, showsIt, violationsOfDocument } from './testing/repeated.ts';

const violations = (await readExamples()).flatMap(({ file, document }) =>
  faultsOf(document).flatMap(({ fault }) =>
    violationsOfDocument(document, fault).map((violation) => {
      const { deployment, window } = violation.report;
      const found = repetitionAt(violation, { urls: deployment.baseUrls, windowMs: window.ms });
      return { ...violation, file, fault, found };
    }),
  ),
);

/** What commands of one shape have in common, whatever the document calls its requests and sets its limits to; what is looked for in a line is its own. */
function shapeOf({ clause, reason, found }: (typeof violations)[number]): string {
  const lines = found?.kind === 'commands' ? found.lines : '';
  return `${clause.replace(/^limits\..*/, 'limits')} ${reason} ${lines.replaceAll(/(?<!grep -o )'[^']*'|\S*:\/\/\S*|\d+/g, '')}`;
}

/** Commands of one shape are tried once for each document that has another one in its way. */
const tried = [
  ...Map.groupBy(
    violations.filter(({ found }) => found?.kind === 'commands'),
    shapeOf,
  ).values(),
].flatMap(([first]) => (first === undefined ? [] : [first]));

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('commands of a report of any document', needing('curl', hasCurl), () => {
  test.concurrent.each(tried)(
    'of $file for $clause ($reason) show it at a service with $fault',
    async (violation: RepeatedViolation) => {
      expect(await showsIt(violation)).toBeNull();
    },
  );
});

test('what no command shows takes moments, several windows, or requests of several costs', () => {
  const without = violations.flatMap(({ file, clause, found }) =>
    found?.kind === 'none' ? [{ why: found.why, of: clause.startsWith('window.') ? clause : file }] : [],
  );
  const files = Map.groupBy(without, ({ why }) => why);
  expect(
    Object.fromEntries([...files].map(([why, all]) => [why, [...new Set(all.map((one) => one.of))]])),
  ).toEqual({
    'depends on the moments at which places come back, which differ from run to run': [
      'window.rolling',
      'matrix.yaml',
    ],
    'is too close to the right length for commands that are started by hand': ['window.length'],
    'needs a whole run: a limit of this kind lets more pass at times': [
      'address-and-key.yaml',
      'busy.yaml',
      'failed-logins.yaml',
      'fixed-by-clock.yaml',
      'fixed-by-first-request.yaml',
      'ietf-triple.yaml',
      'matrix.yaml',
      'reset-is-the-wait.yaml',
      'reset-on-refusals.yaml',
      'token-bucket.yaml',
      'used-of-limit.yaml',
    ],
    'needs a whole run: its scope has several requests, or they cost more than 1': [
      'costs.yaml',
      'used-weight.yaml',
    ],
    'needs a whole run: its scope has several limits': ['second-minute-day.yaml'],
    'needs a whole run: its scope shares limits with others': ['app-and-login.yaml'],
    'depends on a moment, which no command by hand keeps to the second': ['forbidden.yaml'],
  });
});
