import type { z } from 'zod';
import { deploymentSchema } from '../../contract/deployment.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { knownFields } from '../mistakes/known-fields.ts';

/** How to put a field right, beside what is wrong with it. */
const fixes: Readonly<Record<string, string>> = {
  baseUrls: 'give --url or CONFORMANCE_URL, or baseUrls in the settings file',
  keyEnv:
    'give the names with --key-env A,B or CONFORMANCE_KEY_ENV, or keyEnv in the settings file; where requests carry no ' +
    'key, a document with keys: none and countedBy: address says so',
  requests:
    'see contract/deployment.ts for what a request holds; --profile reference takes the reference service’s',
  windowSeconds: 'give --window or CONFORMANCE_WINDOW, or windowSeconds in the settings file',
  transport: 'docs/transports.md says what each field and its flag are for',
  requestTimeoutSeconds:
    'give --timeout or CONFORMANCE_TIMEOUT, or requestTimeoutSeconds in the settings file',
};

/** Who gave what is explained, in whose words. */
export type IssueSource = {
  /** How to put a field right, by its name. */
  readonly fixes: Readonly<Record<string, string>>;
  /** What all of it is called, and what its fields are. */
  readonly whole: string;
  readonly schema: z.core.$ZodType;
  /** The name by which the fields at a path were given. */
  readonly nameOf: (path: string) => string;
};

/** Settings of the command: their fields can be flags, variables, or stand in a file. */
const ofCommand: IssueSource = {
  fixes,
  whole: 'the settings',
  schema: deploymentSchema,
  nameOf: (path) => path,
};

/** What is wrong with settings, one line a field: its name, what it must be, and how to put it right. */
export function explainIssues(error: z.ZodError, explained: Partial<IssueSource> = {}): string {
  const words = { ...ofCommand, ...explained };
  return error.issues.map((issue) => `  ${explain(issue, words)}`).join('\n');
}

function explain(issue: z.core.$ZodIssue, words: IssueSource): string {
  const path = words.nameOf(issue.path.map(String).join('.'));
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue, path, words);
  const fix = words.fixes[String(issue.path[0])];
  const told = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  if (fix === undefined) return `${path === '' ? words.whole : path}: ${told}`;
  return `${path}: ${told.startsWith('is missing') ? 'is missing' : told} (${fix})`;
}

function unknownKeys(
  { keys, path: at }: z.core.$ZodIssueUnrecognizedKeys,
  path: string,
  { whole, schema }: IssueSource,
): string {
  const where = path === '' ? whole : path;
  const known = knownFields(schema, at);
  return keys.map((key) => `${where}: there is no field "${key}"${didYouMean(key, known)}`).join('\n  ');
}
