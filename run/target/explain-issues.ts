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

/** What is wrong with settings, one line a field: its name, what it must be, and how to put it right. */
export function explainIssues(error: z.ZodError): string {
  return error.issues.map((issue) => `  ${explain(issue)}`).join('\n');
}

function explain(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, path);
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  const fix = fixes[String(issue.path[0])];
  return `${path}: ${missing ? 'is missing' : issue.message}${fix === undefined ? '' : ` (${fix})`}`;
}

function unknownKeys(keys: readonly string[], path: string): string {
  const known = path === '' ? Object.keys(deploymentSchema.shape) : [];
  const where = path === '' ? 'the settings' : path;
  return keys.map((key) => `${where}: there is no field "${key}"${didYouMean(key, known)}`).join('\n  ');
}
