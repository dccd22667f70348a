import { Command } from 'commander';
import { carriesKeys, scopesByCounting } from '../../contract/document/counted-by.ts';
import type { Document } from '../../contract/document/document.ts';
import { type KeyPlace, keyField, keyPlaceOf, servesWithoutKey } from '../../contract/document/key-place.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { keysOf } from '../../run/target/keys.ts';
import type { StoreSettings } from '../../service/node-gates.ts';
import { nodesMax, startService } from '../../service/server.ts';
import { parseRedisUrl } from '../../service/store/redis-url.ts';
import { untilAborted, watchInterrupts } from '../interrupt.ts';
import { limitsWith, ratesTextOf, type StoreFlags, storeOf } from '../options/service-options.ts';
import { list, portOf, secondsOf, wholeNumber } from '../options/values.ts';
import {
  addWebhookOptions,
  leftText,
  type WebhookFlags,
  webhookLines,
  webhooksOf,
} from '../options/webhook-options.ts';
import type { CommandIo } from './command-io.ts';
import { writeKeyFile } from './key-file.ts';

type ServeFlags = StoreFlags &
  WebhookFlags & {
    readonly port: number;
    readonly host: string;
    readonly nodes: number;
    readonly document?: string;
    readonly window?: number;
    readonly keyEnv?: readonly string[];
    readonly limit?: readonly string[];
    readonly fault?: readonly string[];
    readonly quiet?: true;
  };

/** `conformance serve`: the reference service only, until a signal ends it. */
export function serveCommand(io: CommandIo): Command {
  const command = new Command('serve').description('run the reference service only');
  return addWebhookOptions(command)
    .option('--port <number>', 'port to listen on; 0 takes any free one', portOf, 8080)
    .option(
      '--nodes <number>',
      'number of nodes, each on its own port',
      wholeNumber({ min: 1, max: nodesMax }),
      1,
    )
    .option(
      '--store <where>',
      'where the nodes count: memory (together), none (each alone), or a Redis, e.g. redis://127.0.0.1:6379 (default: memory)',
    )
    .option('--store-env <name>', 'environment variable that holds the address of a Redis')
    .option(
      '--host <host>',
      'address to listen on; the default is reachable from this machine only',
      '127.0.0.1',
    )
    .option('--document <file>', 'what it keeps, as YAML or JSON (default: the messaging document)')
    .option(
      '--window <seconds>',
      `length of the rolling window (default: as documented, ${messagingDocument.windowSeconds})`,
      secondsOf,
    )
    .option(
      '--key-env <names>',
      'names of the environment variables that hold the API keys; without this flag, keys are made',
      list,
    )
    .option('--limit <scope=n...>', 'another limit for a scope, e.g. media=5', list)
    .option('--fault <name...>', 'fault to add: deviate from the document in this way', list)
    .option('--quiet', 'print only the address, and the file of the keys that were made')
    .action((flags: ServeFlags) => serve(io, flags));
}

async function serve(io: CommandIo, flags: ServeFlags): Promise<void> {
  const store = storeOf(flags, io.env);
  const document =
    flags.document === undefined ? messagingDocument : await loadDocument(flags.document, io.cwd);
  const interrupts = watchInterrupts();
  const isMade = flags.keyEnv === undefined && !servesWithoutKey(document);
  const made = isMade ? await writeKeyFile() : null;
  try {
    const keys = made?.keys ?? keysOf({ keyEnv: flags.keyEnv ?? [] }, io.env);
    const limits = limitsWith(flags.limit ?? [], document);
    const windowSeconds = flags.window ?? document.windowSeconds;
    const webhooks = webhooksOf(flags, io);
    const service = await startService({
      host: flags.host,
      port: flags.port,
      nodes: flags.nodes,
      store,
      tell: (sentence) => void io.stderr.write(`${sentence}\n`),
      document,
      windowMs: windowSeconds * 1_000,
      limits,
      keys: new Map(keys.map(({ alias, secret }) => [alias, secret])),
      faults: flags.fault ?? [],
      ...(webhooks === null ? {} : { webhooks }),
    });
    const names = made?.names ?? flags.keyEnv ?? [];
    const served = {
      urls: service.urls,
      ...{ store, names, windowSeconds },
      limitLines: limitLines(document, ratesTextOf(document, { limits, windowSeconds })),
      ...{ documentSeconds: document.windowSeconds, keyFile: made?.path ?? null },
      keyPlace: keyPlaceOf(document),
    };
    const lines = flags.quiet === true ? brief(served) : banner(served, flags, webhookLines(flags, service));
    for (const line of lines) io.stdout.write(`${line}\n`);
    await untilAborted(interrupts.signal);
    await service.close();
    if (service.webhooks !== null) io.stderr.write(`${leftText(service.webhooks.counts(), flags.data)}\n`);
    io.exit(0);
  } finally {
    interrupts.stop();
    await made?.remove();
  }
}

type Served = {
  readonly urls: readonly string[];
  readonly store: StoreSettings;
  /** What passes in each scope, and for whom. */
  readonly limitLines: readonly string[];
  readonly keyPlace: KeyPlace;
  readonly names: readonly string[];
  readonly windowSeconds: number;
  readonly documentSeconds: number;
  readonly keyFile: string | null;
};

function brief({ urls, keyFile }: Served): readonly string[] {
  return keyFile === null ? urls : [...urls, keyFile];
}

function banner(
  { urls, store, limitLines: limits, keyPlace, names, windowSeconds, documentSeconds, keyFile }: Served,
  { document, fault }: ServeFlags,
  webhooks: readonly string[],
): readonly string[] {
  const windowFlag = windowSeconds === documentSeconds ? '' : ` --window ${windowSeconds}`;
  const held = `--profile reference${document === undefined ? '' : ` --document ${document}`}`;
  const keyFlag = names.length === 0 ? '' : ` --key-env ${names.join(',')}`;
  const command = `npm start -- --url ${urls.join(',')} ${held}${keyFlag}${windowFlag}`;
  return [
    ...(urls.length === 1
      ? [`reference service on ${urls[0]}`]
      : ['reference service of several nodes on', ...urls.map((url) => `  ${url}`)]),
    ...limits,
    ...(urls.length === 1 && store.kind !== 'redis' ? [] : [`  store   ${storeText(store)}`]),
    ...(fault === undefined ? [] : [`  faults  ${fault.join(', ')}`]),
    ...keyLines({ names, keyPlace, keyFile }),
    ...webhooks,
    'check it in another shell with',
    ...(keyFile === null ? [] : [`  . ${keyFile}`]),
    `  ${command}`,
    'Ctrl-C ends it.',
  ];
}

/** What passes in each scope, and whose requests share that: in a line of its own where scopes differ. */
function limitLines(document: Document, ratesText: string): readonly string[] {
  const groups = [...scopesByCounting(document)];
  const [first, second] = groups;
  if (first !== undefined && second === undefined) return [`  limits  ${ratesText}, for each ${first[0]}`];
  const counted = groups.flatMap(([by, scopes]) =>
    scopes.map((scope) => `${scope} by ${by}${carriesKeys(document, scope) ? '' : ', without a key'}`),
  );
  return [`  limits  ${ratesText}`, `  counts  ${counted.join('; ')}`];
}

function keyLines({ names, keyPlace, keyFile }: Pick<Served, 'names' | 'keyPlace' | 'keyFile'>) {
  if (names.length === 0) return ['  keys    none is needed'];
  const where = keyFile === null ? ' (environment variables)' : `, made for this run, in the file ${keyFile}`;
  return [
    `  ${keyPlace.in.padEnd(6)}  ${keyField(keyPlace, 'KEY')}`,
    `  keys    ${names.join(' and ')}${where}`,
  ];
}

function storeText(store: StoreSettings): string {
  switch (store.kind) {
    case 'memory':
      return 'memory: the nodes count together';
    case 'none':
      return 'none: each node counts for itself, which breaks the limits';
    case 'redis':
      return `${parseRedisUrl(store.url).shown}: all nodes on it count together`;
    default:
      return store satisfies never;
  }
}
