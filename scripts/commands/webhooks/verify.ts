import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { howMany } from '../../../contract/quantities.ts';
import { messageOf } from '../../../contract/thrown.ts';
import { UsageError } from '../../../contract/usage-error.ts';
import { signatureHeader } from '../../../contract/webhooks/signature.ts';
import { type Verification, verifySignature } from '../../../judge/webhooks/verify-signature.ts';
import { plainText } from '../../../reports/plain-text.ts';
import { columnsMin, labelled } from '../../../reports/terminal/layout.ts';
import { headerPair } from '../../../run/target/header-pair.ts';
import { takeSecrets } from '../../../run/target/take-secrets.ts';
import { list } from '../../options/values.ts';
import type { CommandIo } from '../command-io.ts';

type VerifyFlags = {
  readonly body: string;
  readonly signature: string;
  readonly secretEnv: readonly string[];
  readonly header?: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly json?: true;
};

const exitVerifies = 0;
const exitDoesNot = 1;

/** `conformance webhooks verify`: says why a signature verifies or does not. */
export function verifyCommand(io: CommandIo): Command {
  return new Command('verify')
    .description('find out why a signature does not match a body: tries every common computation')
    .requiredOption('--body <file>', 'file with the exact bytes of the body; - is standard input')
    .requiredOption('--signature <value>', `value of ${signatureHeader}, as received`)
    .requiredOption(
      '--secret-env <names>',
      'environment variable that holds the webhook secret; NEW,OLD during a rotation',
      list,
    )
    .option(
      '--header <name=value...>',
      'header of the request, in case it was signed too; Host, in case its URL was',
    )
    .option('--method <method>', 'method of the request, in case it was signed too', 'POST')
    .option('--path <path>', 'path of the request, in case it was signed too', '/')
    .option('--json', 'write one object to standard output, and nothing else')
    .action((flags: VerifyFlags) => verify(io, flags));
}

async function verify(io: CommandIo, flags: VerifyFlags): Promise<void> {
  const value = flags.signature.replace(new RegExp(`^${signatureHeader}:[ \\t]*`, 'i'), '');
  if (value.trim() === '') {
    throw new UsageError(
      `--signature is empty: give the value of ${signatureHeader} as received (a shell variable that is not set is empty).`,
    );
  }
  const secrets = takeSecrets(flags.secretEnv, io.env);
  const headers = (flags.header ?? []).map((text) => headerPair(text, '--header X-Event-Id=42'));
  const body = await bytesIn(flags.body, io.cwd);
  const found = verifySignature({ body, value, secrets, headers, method: flags.method, path: flags.path });
  const text =
    flags.json === true
      ? `${JSON.stringify(found)}\n`
      : verificationText(found, {
          value,
          bytes: body.length,
          names: flags.secretEnv,
          columns: io.stdout.columns ?? 80,
        });
  io.stdout.write(text);
  io.exit(found.verifies ? exitVerifies : exitDoesNot);
}

/** The longest body, bytes: far longer than any webhook. */
const bodyBytesMax = 64 * 1_048_576;

async function bytesIn(file: string, cwd: string): Promise<Buffer> {
  try {
    const bytes = file === '-' ? await buffer(process.stdin) : await readFile(resolve(cwd, file));
    if (bytes.length <= bodyBytesMax) return bytes;
  } catch (error) {
    const why = messageOf(error);
    throw new UsageError(
      `The body cannot be read: ${why}. Give the path of a file with --body, or - for standard input.`,
    );
  }
  throw new UsageError(`--body ${file} holds more than ${bodyBytesMax} bytes: no webhook is that long.`);
}

type Signed = {
  readonly value: string;
  readonly bytes: number;
  readonly names: readonly string[];
  readonly columns: number;
};

function verificationText(found: Verification, { value, bytes, names, columns }: Signed): string {
  const { verifies, fit, form, advice, right } = found;
  const computed =
    fit === null
      ? 'no common computation gives this value'
      : `${fit.algorithm} over ${fit.over}, by ${fit.key} (${names[fit.secret - 1] ?? ''}), as ${fit.encoding}`;
  const rows: readonly (readonly [string, string])[] = [
    ['signature', plainText(value, 300)],
    ['body', howMany(bytes, 'byte')],
    ...(form === null ? [] : [['form', `${form}; it should be sha256=<signature>`] as const]),
    ['computed', computed],
    ...advice.map((text) => ['to fix', text] as const),
    ...(verifies ? [] : right.map((one, at) => ['right', `${one} (${names[at] ?? ''})`] as const)),
  ];
  const space = { columns: Math.max(columnsMin, columns), indent: 2, labelWidth: 9 };
  const lines = rows.flatMap(([label, text]) => labelled(label, text, space));
  return `${[...lines, verifies ? 'VERIFIES' : 'DOES NOT VERIFY'].join('\n')}\n`;
}
