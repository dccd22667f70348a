import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../contract/nearest.ts';
import { howMany } from '../contract/quantities.ts';
import { UsageError } from '../contract/usage-error.ts';
import { placesOf } from './strategies/window-mirror.ts';
import type { Client } from './tuning/client.ts';
import type { Parameters } from './tuning/families.ts';
import type { Tuning } from './tuning/tuning.ts';

/** Code that does what was recommended, ready to be taken over. */
export type Configuration = {
  readonly name: string;
  /** What it is asked for by. */
  readonly file: string;
  readonly code: string;
};

/** Libraries by name: the file beside this one that shows each. They are checked and tested as they stand. */
const libraries = [
  ['undici', 'undici'],
  ['got', 'got'],
  ['ky', 'ky'],
  ['p-retry', 'p-retry'],
  ['cockatiel', 'cockatiel'],
  ['AWS SDK', 'aws-sdk'],
] as const;

/** More retries may be needed live than in any run: this many times as many are allowed. */
const retriesMargin = 2;
const retriesMin = 10;

/** For each library the best that its options allow; before them, for a client that knows the limit, the one that mirrors the window. */
export function configurationsFor(tuning: Tuning): readonly Configuration[] {
  const values = libraryParameters(tuning);
  // More than one limit is no one line: `pacedOptions` reads them from the document.
  const isOne = (tuning.client.kept?.length ?? 1) === 1;
  const known = tuning.client.knows === 'limit' && isOne ? [pacedConfiguration(tuning)] : [];
  return [
    ...known,
    ...libraries.map(([name, file]) => ({ name, file, code: written(file, 'backoff', values) })),
  ];
}

/**
 * Which of the configurations were asked for.
 * @throws {UsageError} where there is none of such a name.
 */
export function chosenConfigurations(names: readonly string[]): (one: Configuration) => boolean {
  const known = [...libraries.map(([, file]) => file), 'paced'];
  for (const name of names) {
    if (!known.includes(name)) {
      throw new UsageError(
        `There is no configuration for "${name}"${didYouMean(name, known)} Choose from ${known.join(', ')}.`,
      );
    }
  }
  return ({ file }) => names.includes(file);
}

/** The recommended parameters of libraries, with how many retries to allow. */
export function libraryParameters({ forLibraries }: Tuning): Parameters {
  const { trial, figures } = forLibraries;
  const attemptsMax = Math.max(...figures.map((one) => one.attemptsMax));
  const retries = Math.max(retriesMin, retriesMargin * (attemptsMax - 1));
  return { ...trial.candidate.parameters, retries };
}

function pacedConfiguration({ client }: Tuning): Configuration {
  const { processes, hasStore } = client;
  const [rate = { ...client.rate, isBucket: false }] = client.kept ?? [];
  const share = hasStore ? 1 : 1 / processes;
  const window = { limit: rate.limit, windowSeconds: rate.windowMs / 1_000, share };
  const text = written('paced', 'window', window, sharingNote(client));
  const code = rate.isBucket ? text.replace(/(limit: window\.limit)\b/, "$1, kind: 'token-bucket'") : text;
  return { name: 'undici and fetch, paced', file: 'paced', code };
}

/** What the share of one process leaves open where there are several; `null` where that is nothing. */
function sharingNote({ rate: { limit }, processes, hasStore }: Client): string | null {
  if (processes === 1) return null;
  if (hasStore) return `All ${processes} processes send through this one dispatcher.`;
  if (limit < processes) {
    return `paced refuses such a share: ${howMany(limit, 'request')} cannot be shared by ${processes} processes. ${limit === 1 ? 'Let 1 of them send, without a share.' : `Let ${limit} of them send, each with the share 1 / ${limit}.`}`;
  }
  const more = limit % processes;
  if (more === 0) return null;
  const most = placesOf(limit, { process: 0, processes });
  return `In ${more} of the ${processes} processes: share ${most} / ${limit}, so that no place is left over.`;
}

/** The text of a file beside this one, with one line of it written anew, and a note below it. */
function written(file: string, constant: string, values: Parameters, note: string | null = null): string {
  const text = readFileSync(join(import.meta.dirname, 'configurations', `${file}.ts`), 'utf8');
  const fields = Object.entries(values).map(([name, value]) => `${name}: ${numberText(value)}`);
  const line = `const ${constant} = { ${fields.join(', ')} };`;
  const declaration = new RegExp(`^const ${constant} = \\{.*\\};$`, 'm');
  if (!declaration.test(text)) throw new Error(`configurations/${file}.ts declares no ${constant}`);
  // From the root of a checkout of this project.
  const lines = note === null ? line : `${line}\n// ${note}`;
  return text.replace(declaration, () => lines).replaceAll("'../", "'./backoff/");
}

/** As it would be written in a program: 30_000. */
function numberText(value: number): string {
  return Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, '_') : String(value);
}
