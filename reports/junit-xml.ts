import XMLBuilder from 'fast-xml-builder';
import { plainText } from './plain-text.ts';

const messageCharactersMax = 600;

export type Element = Readonly<Record<string, unknown>>;

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

/** What every test case says of itself. */
export function caseElement(suite: string, name: string): Element {
  return { '@_classname': attribute(suite), '@_name': attribute(name), '@_time': '0' };
}

/** Text for an attribute or a line: what XML 1.0 cannot hold at all is spelled out. */
export function attribute(text: string): string {
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
