import XMLBuilder from 'fast-xml-builder';
import { plainText } from './plain-text.ts';
import { type AnyVerdict, type DecidedClause, evidenceOf } from './verdict-text.ts';

const messageCharactersMax = 600;

type Element = Readonly<Record<string, unknown>>;

export type TestCase = {
  readonly fate: 'passed' | 'failures' | 'errors' | 'skipped';
  readonly element: Element;
};

export type JunitFile = {
  readonly name: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** Facts about the run, in every suite. */
  readonly properties: Readonly<Record<string, string>>;
  readonly suites: readonly { readonly name: string; readonly cases: readonly TestCase[] }[];
};

/** Results as JUnit XML, as CI systems read it. */
export function junitXml({ name, startedAt, seconds, properties, suites }: JunitFile): string {
  const property = Object.entries(properties).map(([key, value]) => ({
    '@_name': key,
    '@_value': attribute(value),
  }));
  const xml = new XMLBuilder({
    ignoreAttributes: false,
    format: true,
    suppressEmptyNode: true,
    suppressBooleanAttributes: false,
  }).build({
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    testsuites: {
      '@_name': attribute(name),
      ...totals(suites.flatMap(({ cases }) => cases)),
      '@_time': String(seconds),
      testsuite: suites.map((suite) => ({
        '@_name': attribute(suite.name),
        ...totals(suite.cases),
        '@_time': '0',
        '@_timestamp': attribute(startedAt),
        properties: { property },
        testcase: suite.cases.map(({ element }) => element),
      })),
    },
  });
  return xml.endsWith('\n') ? xml : `${xml}\n`;
}

export type CaseInput = DecidedClause & {
  readonly suite: string;
  readonly name: string;
  readonly verdict: AnyVerdict;
  /** The verdict in a word. */
  readonly word: string;
  /** A violation in full. */
  readonly details: () => readonly string[];
  /** What a `must` that stayed open is: JUnit has no word for it. */
  readonly open: 'errors' | 'skipped';
};

/** A verdict as a test case. */
export function verdictCase({ suite, name, level, verdict, word, details, open }: CaseInput): TestCase {
  const base = caseElement(suite, name);
  const evidence = evidenceOf(verdict);
  const message = { '@_message': attribute(evidence) };
  switch (verdict.kind) {
    case 'held':
    case 'observed':
      return { fate: 'passed', element: { ...base, 'system-out': attribute(evidence) } };
    case 'violated': {
      const text = details().join('\n');
      if (level !== 'must') return { fate: 'passed', element: { ...base, 'system-out': `${word}: ${text}` } };
      const failure = { ...message, '@_type': attribute(verdict.reason), '#text': text };
      return { fate: 'failures', element: { ...base, failure } };
    }
    case 'inconclusive':
      return level === 'must' && open === 'errors'
        ? { fate: 'errors', element: { ...base, error: { ...message, '@_type': 'inconclusive' } } }
        : skippedCase({ suite, name, text: `${word}: ${evidence}` });
    case 'not-applicable':
      return skippedCase({ suite, name, text: `${word}: ${evidence}` });
    case 'crashed':
      return { fate: 'errors', element: { ...base, error: { ...message, '@_type': 'crashed-judge' } } };
    default:
      throw new Error(`no test case for ${verdict satisfies never}`);
  }
}

/** A test case that neither passes nor fails, and why. */
export function skippedCase({
  suite,
  name,
  text,
}: Readonly<Record<'suite' | 'name' | 'text', string>>): TestCase {
  const skipped = { '@_message': attribute(text) };
  return { fate: 'skipped', element: { ...caseElement(suite, name), skipped } };
}

function caseElement(suite: string, name: string): Element {
  return { '@_classname': attribute(suite), '@_name': attribute(name), '@_time': '0' };
}

/** Text for an attribute or a line. Characters that XML 1.0 forbids are spelled out. */
function attribute(text: string): string {
  return plainText(text, messageCharactersMax);
}

function totals(cases: readonly TestCase[]): Element {
  const count = (fate: TestCase['fate']) => String(cases.filter((one) => one.fate === fate).length);
  return {
    '@_tests': String(cases.length),
    '@_failures': count('failures'),
    '@_errors': count('errors'),
    '@_skipped': count('skipped'),
  };
}
