import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { Rule } from './rule.ts';

export const usage = `npm run gallery -- [options]

Starts other people's rate limiters on loopback, identifies each, and holds those with the document's limit to it.
Installs what is missing into a cache folder of the user: packages of npm, PyPI, Maven and crates.io and Go modules, at
pinned versions.

  --json             print everything that was found as one JSON object
  --write            write docs/gallery.md, if all rows ran
  --only <text>      only rows whose name or origin (npm, PyPI, Go, Maven, crates.io, Debian) holds the text; may be given again
  --limit <n>        keep this limit in place of each row's own
  --window <seconds> keep this window in place of each row's own
  --at-once <n>      rows that run side by side (default: 16)
  --help             show this

Exit status: 0 all rows ran and were identified rightly, 1 one was not, 2 unusable input, 3 a row could not run.
`;

export type GalleryOptions = {
  readonly isJson: boolean;
  readonly isWritten: boolean;
  readonly only: readonly string[];
  /** What replaces a row's own rule. */
  readonly rule: Partial<Rule>;
  readonly atOnce: number;
};

/** What was asked for; `null` for the usage. @throws {UsageError} that says what cannot be used. */
export function optionsOf(args: readonly string[]): GalleryOptions | null {
  const values = valuesOf(args);
  if (values.help) return null;
  const { limit, window } = values;
  const rule = {
    ...(limit === undefined ? {} : { limit: wholeNumber('--limit', limit) }),
    ...(window === undefined ? {} : { windowMs: 1_000 * wholeNumber('--window', window) }),
  };
  const isAll = values.only.length === 0 && Object.keys(rule).length === 0;
  if (values.write && !isAll)
    throw new UsageError('--write needs all rows as they are: leave out --only, --limit and --window');
  const atOnce = wholeNumber('--at-once', values['at-once']);
  return { isJson: values.json, isWritten: values.write, only: values.only, rule, atOnce };
}

const known = {
  json: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true, default: [] },
  limit: { type: 'string' },
  window: { type: 'string' },
  'at-once': { type: 'string', default: '16' },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig;

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new UsageError(`${name} ${text}: give a whole number from 1 to 9999`);
  return Number(text);
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known }).values;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
