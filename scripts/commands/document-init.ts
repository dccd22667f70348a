import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Deployment } from '../../contract/deployment.ts';
import { promiseKinds } from '../../contract/document/promise.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import { secretParametersIn } from '../../contract/secret/secret-names.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { readDocument } from '../../run/document/document-file.ts';
import { draftText, todosIn } from '../../run/document/draft.ts';
import { assumed } from '../../run/document/drafted-limit.ts';
import { draftFromEndpoint } from '../../run/document/init-draft.ts';
import { lookAtEndpoint, lookRequests } from '../../run/document/look-at-endpoint.ts';
import { refuseExisting, writeNewDocument } from '../../run/document/new-file.ts';
import { type SeenLimit, seenLimits } from '../../run/document/seen-limits.ts';
import { type Endpoint, endpointOf } from '../../run/identify/endpoint.ts';
import { takesEffect } from '../../run/plan/cost.ts';
import { hideKeys } from '../../run/record/without-keys.ts';
import { shownPath } from '../../run/shown-path.ts';
import { lockKeys } from '../../run/target/key-lock.ts';
import { refuseSecrets } from '../../run/target/secret-settings.ts';
import { transportLines } from '../../run/target/transport/transport-text.ts';
import { interruptedExitCode, watchInterrupts } from '../interrupt.ts';
import { addRequestOptions } from '../options/request-options.ts';
import { addTransportOptions } from '../options/transport-options.ts';
import { keysInHeader, keysInQuery, list, repeated, secondsOf, wholeNumber } from '../options/values.ts';
import type { CommandIo } from './command-io.ts';
import { baseOf, headersToShow, type InitFlags, keysOf, nextFlags, sentBy } from './document-init-flags.ts';
import { askAboutLimit } from './document-init-questions.ts';

const exitUnanswered = 3;
const limitOf = wholeNumber({ min: 1, max: 1_000_000 });

/** `conformance document init`: writes a document from what an endpoint says of its limits in a few answers. */
export function documentInitCommand(io: CommandIo): Command {
  const command = new Command('init').description(
    'write a document from what an endpoint says of its limits; sends four requests, and asks the rest',
  );
  const addressed = addTransportOptions(command)
    .requiredOption('--url <url>', 'base URL, or the address of the request itself')
    .option('--path <path>', 'path of the request, below the base URL, with its query');
  return addRequestOptions(addressed)
    .option('--key-env <name>', 'environment variable that holds a key, for Authorization: Bearer')
    .option('--key-header <header[=word]>', 'header that carries the key instead, as X-Api-Key', keysInHeader)
    .addOption(
      new Option('--key-query <name>', 'parameter of the query that carries the key instead, as api_key')
        .argParser(keysInQuery)
        .conflicts('keyHeader'),
    )
    .option('--header-env <header=name...>', 'header whose value is in an environment variable', list)
    .option('--header <header=value...>', 'header that is not secret', repeated)
    .option('--title <text>', 'what reports call the API (usual: its host)')
    .option('--limit <n>', 'how many requests pass in a window (usual: as the answers say)', limitOf)
    .option('--window <seconds>', 'how long a window is (usual: as the answers say)', secondsOf)
    .addOption(
      new Option('--promise <kind>', `what kind of limit is promised (usual: ${assumed.promise})`).choices([
        ...promiseKinds,
      ]),
    )
    .option('--timeout <seconds>', 'how long one request may take', secondsOf, 10)
    .option('--allow-host <host...>', 'also send to this host; without this flag, only to this machine', list)
    .option('--out <file>', 'where it goes; a file that is there is never written over', 'document.yaml')
    .option('--yes', 'ask nothing: what is not known is assumed, and marked in the file')
    .action((flags: InitFlags) => writeDocument(io, flags));
}

async function writeDocument(io: CommandIo, flags: InitFlags): Promise<void> {
  const path = resolve(io.cwd, flags.out);
  await refuseExisting(path, io.cwd);
  const base = baseOf(flags);
  const keys = keysOf(flags);
  const endpoint = await endpointOf(
    {
      ...flags,
      ...(keys === undefined ? {} : { keys }),
      url: `${base}${flags.path ?? ''}`,
      longest: 60,
      out: '',
      refusedBy: [],
    },
    { ...io, sent: 'a few requests' },
  );
  const request = requestIn(endpoint.deployment);
  const secrets = secretParametersIn(request.path);
  refuseSecrets(
    secrets.map(({ name }) => ({ place: 'path', kind: 'parameter', name })),
    'flags',
  );
  const looked = await lookOrExplain(io, endpoint);
  if (looked === null) return;
  const limits = seenLimits(looked.looks);
  io.stderr.write(`${foundLines(limits).join('\n')}\n`);
  const said = await askAboutLimit(io, { flags, seen: limits[0] });
  if (said === null) {
    io.stderr.write('interrupted; nothing was written\n');
    io.exit(interruptedExitCode);
    return;
  }
  const { pathname } = new URL(base);
  const prefix = pathname.replace(/\/$/, '');
  const isPrefixed = flags.path !== undefined && prefix !== '' && request.path.startsWith(`${prefix}/`);
  const shown = {
    ...requestIn(endpoint.shown),
    headers: headersToShow(request.headers, flags),
    path: isPrefixed ? request.path.slice(prefix.length) : request.path,
  };
  const where = `${endpoint.shown.baseUrls[0]}${isPrefixed ? prefix : ''}`;
  const sent = sentBy(flags);
  const draft = draftFromEndpoint({ lookedAt: looked, limits, request: shown, where, said, sent });
  await writeNew(io, { path, text: draftText(draft) });
  const next = nextFlags({ where, flags, path: shownPath(path, io.cwd) });
  io.stdout.write(
    [
      `next    npm run conformance -- document check ${shownPath(path, io.cwd)}`,
      `        npm run conformance -- plan ${next}`,
      `        npm run conformance -- run ${next}`,
      '',
    ].join('\n'),
  );
  io.exit(0);
}

function requestIn({ requests: { standard } }: Deployment): RequestTemplate {
  if (standard === undefined) throw new Error('an endpoint has a request');
  return standard;
}

/** Looks at the endpoint; where that was interrupted, or nothing answered, says so, sets the exit status and gives `null`. */
async function lookOrExplain(io: CommandIo, endpoint: Endpoint) {
  const { main, withoutKey } = lookRequests(endpoint);
  const { shown, keys, deployment } = endpoint;
  const request = requestIn(shown);
  const without = withoutKey === 0 ? '' : `, and ${withoutKey} without its key`;
  const address = `${shown.baseUrls[0]}${request.path}`;
  const release = lockKeys({ keys, baseUrls: deployment.baseUrls, env: io.env });
  io.stderr.write(
    `sends   ${main} times ${request.method} ${address}${without}, within a few seconds; nothing else\n`,
  );
  if (takesEffect(request)) io.stderr.write(`        real: each of the ${main} takes effect\n`);
  for (const line of transportLines(endpoint.transport)) io.stderr.write(`        ${line}\n`);
  hideKeys(io.session, endpoint.secrets);
  const interrupts = watchInterrupts();
  const looked = await lookAtEndpoint(endpoint, interrupts.signal)
    .catch((error: unknown) => {
      if (interrupts.signal.aborted) return null;
      throw error;
    })
    .finally(() => {
      interrupts.stop();
      release();
    });
  if (looked === null) {
    io.stderr.write('interrupted; nothing was written\n');
    io.exit(interruptedExitCode);
    return null;
  }
  if (looked.looks.length === 0) {
    const why = io.session.removeKeys(looked.failure ?? 'no answer');
    io.stderr.write(`conformance: ${address}: ${why}. Nothing was written.\n`);
    io.exit(exitUnanswered);
    return null;
  }
  return looked;
}

function foundLines(limits: readonly SeenLimit[]): readonly string[] {
  if (limits.length === 0) return ['found   no header that tells of a limit'];
  return limits.map(({ names, limit, window }, at) => {
    const length = window === null ? 'a window of unknown length' : `${window.seconds} s`;
    return `${at === 0 ? 'found  ' : '       '} ${limit ?? 'an unknown number'} in ${length} (${names.join(', ')})`;
  });
}

/** Writes what `document check` accepts, and says what is left to see to. */
async function writeNew(
  io: CommandIo,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<void> {
  const read = readDocument(text);
  if (read.kind === 'flawed')
    throw new UsageError(
      `What was said makes no document:\n${read.flaws.map((flaw) => `  ${flaw.text}`).join('\n')}`,
    );
  await writeNewDocument(path, text);
  const shown = shownPath(path, io.cwd);
  const todos = todosIn(text).map(({ line, text: todo }) => `todo    ${shown}:${line}  ${todo}`);
  io.stdout.write(`${[`wrote   ${shown}`, ...todos].join('\n')}\n`);
}
