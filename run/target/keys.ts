import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ProbeKey } from '../../checks/http-request.ts';
import { keyAliasesOf, sendsKeys } from '../../contract/deployment.ts';
import type { Document } from '../../contract/document/document.ts';
import { servesWithoutKey } from '../../contract/document/key-place.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { grouped, howMany } from '../../contract/quantities.ts';
import { isApiKey } from '../../contract/secret.ts';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { isInUsualAnswers } from './usual-answers.ts';

export type Environment = Record<string, string | undefined>;

type Keyed = {
  readonly keyEnv: readonly string[];
  /** What is promised; left out: nothing of keys is known. */
  readonly document?: Partial<Pick<Document, 'keys' | 'countedBy' | 'scopes'>>;
};

/**
 * The keys of a deployment, or who asks where it has none: of that one nothing is sent.
 * @throws {UsageError} naming the variable, never what it holds.
 */
export function keysOf({ keyEnv, document = {} }: Keyed, env: Environment): readonly ProbeKey[] {
  if (!sendsKeys({ keyEnv }))
    return keyAliasesOf({ keyEnv }).map((alias) => ({ alias, secret: newKey(), authorization: null }));
  const missing = keyEnv.find((name) => env[name] === undefined);
  if (missing !== undefined && servesWithoutKey(document)) {
    throw new UsageError(
      `The environment variable ${shownName(missing, env)} is not set, and the document asks for no key: --key-env none sends none.`,
    );
  }
  return takeKeys(keyEnv, env);
}

/**
 * The API keys, taken out of the environment so that no child process inherits them.
 * @throws {UsageError} naming the variable, never what it holds.
 */
export function takeKeys(keyEnv: readonly string[], env: Environment): readonly ProbeKey[] {
  const aliases = keyAliasesOf({ keyEnv });
  const keys = keyEnv.map((name, at) => ({ alias: aliases[at] ?? String(at), secret: secretOf(name, env) }));
  if (new Set(keys.map(({ secret }) => secret)).size < keys.length) {
    throw new UsageError(
      `${keyEnv.map((name) => shownName(name, env)).join(' and ')} hold the same key: name two different keys, or one alone with --key-env.`,
    );
  }
  for (const name of keyEnv) delete env[name];
  return keys;
}

function secretOf(name: string, env: Environment): string {
  const secret = env[name];
  const shown = shownName(name, env);
  if (secret === undefined || secret === '') {
    const fix = `set it to an API key of the deployment (export ${shown}=…), or name another with --key-env`;
    throw new UsageError(
      `The environment variable ${shown} is ${secret === '' ? 'empty' : 'not set'}: ${fix}${similarNames(name, env)}`,
    );
  }
  if (!isApiKey(secret)) {
    const fix = 'it must be 1 to 4096 printable ASCII characters, without white space or line breaks';
    throw new UsageError(`The environment variable ${shown} holds no usable API key: ${fix}.`);
  }
  if (isInUsualAnswers(secret)) {
    throw new UsageError(`The API key in ${shown} ${tooUsual}: give the deployment a longer one.`);
  }
  return secret;
}

const tooUsual =
  'is so short, or so usual a word, that answers hold it by chance; masked in them, as every key is, it would leave them unreadable';

/** No key is as short as this, and most names of variables are. */
const shownCharactersMax = 12;

/**
 * Whoever gives a key in place of a variable's name must not find it in a log. What is set under a name is a name; a key
 * in capitals looks like one.
 */
export function shownName(name: string, env: Environment): string {
  const isSet = Object.hasOwn(env, name) && env[name] !== undefined;
  const isShort = name.length <= shownCharactersMax && /^[A-Z_][A-Z0-9_]*$/.test(name);
  return isSet || isShort ? name : `${name.slice(0, 4)}…`;
}

/** The end of a sentence about a variable that is not set: names that are, where they are like it. */
export function similarNames(name: string, env: Environment): string {
  return didYouMean(name, Object.keys(env));
}

/**
 * API keys from a file with one a line; empty lines are skipped.
 * @throws {UsageError} naming the file and the line, never what it holds.
 */
export async function readKeysFile(path: string, wanted: number): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const why = messageOf(error);
    throw new UsageError(`The file of keys cannot be read: ${why}. Give its path with --keys-file.`);
  });
  const seen = new Map<string, number>();
  for (const [at, line] of text.split('\n').entries()) {
    const key = line.trim();
    if (key === '') continue;
    if (!isApiKey(key)) throw badLine(path, at, 'is no API key: visible ASCII without spaces');
    if (isInUsualAnswers(key)) throw badLine(path, at, tooUsual);
    const first = seen.get(key);
    if (first !== undefined) throw badLine(path, at, `holds the same key as line ${first}`);
    seen.set(key, at + 1);
  }
  if (seen.size < wanted) {
    throw new UsageError(
      `${path} holds ${howMany(seen.size, 'key')}, and ${grouped(wanted)} are wanted: say how many with --keys ${Math.max(1, seen.size)}, or add some.`,
    );
  }
  return [...seen.keys()];
}

function badLine(path: string, at: number, what: string): UsageError {
  return new UsageError(`Line ${at + 1} of ${path} ${what}.`);
}

/** A random API key of 256 bits. */
export function newKey(): string {
  return `key_${randomBytes(32).toString('base64url')}`;
}
