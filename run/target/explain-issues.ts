import type { z } from 'zod';
import { deploymentSchema } from '../../contract/deployment.ts';
import { didYouMean } from '../../contract/nearest.ts';

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
export type Explained = {
  /** How to put a field right, by its name. */
  readonly fixes: Readonly<Record<string, string>>;
  /** What all of it is called, and the names of its fields. */
  readonly whole: string;
  readonly known: readonly string[];
  /** The name by which the fields at a path were given. */
  readonly nameOf: (path: string) => string;
};

/** Settings of the command: their fields can be flags, variables, or stand in a file. */
const ofCommand: Explained = {
  fixes,
  whole: 'the settings',
  known: Object.keys(deploymentSchema.shape),
  nameOf: (path) => path,
};

/** What is wrong with settings, one line a field: its name, what it must be, and how to put it right. */
export function explainIssues(error: z.ZodError, explained: Partial<Explained> = {}): string {
  const words = { ...ofCommand, ...explained };
  return error.issues.map((issue) => `  ${explain(issue, words)}`).join('\n');
}

function explain(issue: z.core.$ZodIssue, words: Explained): string {
  const path = words.nameOf(issue.path.map(String).join('.'));
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, path, words);
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  const fix = words.fixes[String(issue.path[0])];
  return `${path}: ${missing ? 'is missing' : issue.message}${fix === undefined ? '' : ` (${fix})`}`;
}

function unknownKeys(keys: readonly string[], path: string, { whole, known }: Explained): string {
  const where = path === '' ? whole : path;
  const names = path === '' ? known : [];
  return keys.map((key) => `${where}: there is no field "${key}"${didYouMean(key, names)}`).join('\n  ');
}
