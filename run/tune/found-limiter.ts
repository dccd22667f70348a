import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FoundLimiter } from '../../backoff/tuning/client.ts';
import { identifiedLimiter } from '../../backoff/tuning/identified-limiter.ts';
import { type Identification, identificationSchema } from '../../contract/identification.ts';
import { kindOfTrace } from '../../contract/ndjson.ts';
import { misfitOf, plainWords } from '../../contract/plain-words.ts';
import type { Scope } from '../../contract/scopes.ts';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { groupsOf } from '../../judge/entries.ts';
import { identifyGroups } from '../../judge/identify/identify-groups.ts';
import { parsedTrace, type TraceFile, traceFileName } from '../judge/trace-file.ts';

/** Where paths begin, and which limiter of a trace is wanted. */
type Sought = { readonly cwd: string; readonly scope: Scope };

/**
 * The limiter in a file: what `identify --json` wrote, or a trace, of which the scope's own is taken.
 * @throws {UsageError} where there is no such file, or it tells of no limiter.
 */
export async function foundLimiter(path: string, { cwd, scope }: Sought): Promise<FoundLimiter> {
  const text = await textOf(resolve(cwd, path));
  const isTrace = kindOfTrace(text) === 'deployment';
  const found = isTrace ? identifiedIn({ path, text }, scope) : parsedIdentification(text, path);
  const limiter = identifiedLimiter(found);
  if (limiter === null) {
    throw new UsageError(
      `${path} says that the limiter is not identified: ask again with "identify --windows 2", or describe it by --limit and --window.`,
    );
  }
  const others = typeof found.algorithm === 'string' ? '' : ', the likeliest of several';
  return { limiter, from: `as found in ${path}${others}` };
}

function parsedIdentification(text: string, path: string): Identification {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(
      `${path} is neither a trace nor what "identify --json" writes: it is not JSON. Give one of them to --limiter.`,
    );
  }
  const parsed = identificationSchema.safeParse(value, plainWords());
  if (parsed.success) return parsed.data;
  throw new UsageError(`${path} is not what "identify --json" writes: ${misfitOf(parsed.error)}.`);
}

function identifiedIn(file: TraceFile, scope: Scope): Identification {
  const groups = identifyGroups(groupsOf(parsedTrace(file, 'is no trace that can be read')));
  const found = groups.find((group) => group.scope === scope);
  if (found !== undefined) return found;
  const others = [...new Set(groups.map((group) => group.scope))].join(', ');
  throw new UsageError(
    `${file.path} has no window of the scope ${scope} that was filled up${others === '' ? '' : `: --scope can be ${others}`}.`,
  );
}

async function textOf(path: string): Promise<string> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    return await readFile(isFolder ? join(path, traceFileName) : path, 'utf8');
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(
      `--limiter cannot be read: ${why}. Give a ${traceFileName}, or its folder, or JSON.`,
    );
  }
}
