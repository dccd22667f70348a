import { dirname } from 'node:path';
import { type Deployment, type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import { countsMethod } from '../../contract/document/counted-requests.ts';
import { type Document, documentSchema, scopesOf } from '../../contract/document/document.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { secretPlacesIn, secretPlacesInDocument } from '../../contract/secret/secret-names.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { plainly } from '../mistakes/plainly.ts';
import { shownPath } from '../shown-path.ts';
import { breakerInput } from './breaker-input.ts';
import { checkKeyPlace } from './check-key-place.ts';
import { type ConfigFile, loadConfigFile } from './config-file.ts';
import { embeddedRequests } from './embedded-requests.ts';
import { explainIssues } from './explain-issues.ts';
import { type SecretHeader, secretHeadersOf, withHeaders, withheldHeaders } from './secret-headers.ts';
import { refuseSecrets } from './secret-settings.ts';
import { firstTransportFlag, type TransportFlags, transportInput } from './transport/transport-flags.ts';

/** Where a run goes, as flags and environment say it. The names of the fields are commander's. */
export type TargetFlags = TransportFlags & {
  /** The file of what is promised. */
  readonly document?: string;
  readonly config?: string;
  readonly url?: readonly string[];
  readonly keyEnv?: readonly string[];
  readonly headerEnv?: readonly string[];
  readonly profile?: 'reference';
  readonly allowHost?: readonly string[];
  readonly window?: number;
  readonly timeout?: number;
  /** How long to wait until the target answers, seconds. */
  readonly wait?: number;
  readonly maxRequests?: number;
  /** Failures in a row; 0: never. */
  readonly stopAfter?: number;
};

/** Whose promises are to be checked: the service that this program starts itself, or somebody's deployment. */
export type Settings = {
  readonly kind: 'embedded' | 'deployment';
  /** Of the embedded service, the base URL is not known before it runs. */
  readonly deployment: Deployment;
  /** Headers of all requests, whose values the environment holds. In `deployment` they are withheld. */
  readonly secretHeaders: readonly SecretHeader[];
  /** How long to wait until the target answers, seconds; 0 is not at all. */
  readonly waitSeconds: number;
  /** Where these settings come from, in a few words for the first line of a run. */
  readonly origin: string;
};

/** Names that stand for the embedded service's keys: nothing is ever read from the environment under them. */
const embeddedKeyEnv = ['EMBEDDED_KEY_A', 'EMBEDDED_KEY_B'];

/**
 * Settings from flags and environment over the settings file over the defaults. With neither a URL nor a file there
 * is nothing to connect to, and the embedded service stands in.
 * @throws {UsageError} naming each field that is wrong, and its fix.
 */
export async function settleSettings(flags: TargetFlags, cwd: string): Promise<Settings> {
  const file = await loadConfigFile({ named: flags.config, cwd });
  const read = await documentOf(flags, file, cwd);
  if (file === null && flags.url === undefined) return embeddedSettings(flags, read);
  const document = read?.document;
  const base = withDocument(baseInput(flags, file, document ?? messagingDocument), document);
  const transport = transportInput(flags, base['transport']);
  const input = { ...base, ...overrides(flags, file), ...(transport === undefined ? {} : { transport }) };
  const secretHeaders = secretHeadersOf(flags.headerEnv);
  const known = parsed(input, file);
  checkRequests(known);
  checkKeyPlace(known, secretHeaders);
  const deployment = withHeaders(known, withheldHeaders(secretHeaders));
  const from = file === null ? 'flags and environment' : shownPath(file.path, cwd);
  const { wait: waitSeconds = 0 } = flags;
  const origin = `settings from ${from}${heldTo(flags, read)}`;
  return { kind: 'deployment', deployment, secretHeaders, waitSeconds, origin };
}

function embeddedSettings(flags: TargetFlags, read: ReadDocument | undefined): Settings {
  const document = read?.document;
  const flag = flagForDeployment(flags);
  if (flag !== null) {
    throw new UsageError(
      `${flag} is for a deployment of yours, but none was named: give its address with --url.`,
    );
  }
  const input: DeploymentInput = {
    name: 'the embedded reference service',
    baseUrls: ['http://127.0.0.1'],
    keyEnv: embeddedKeyEnv,
    requests: embeddedRequests(document ?? messagingDocument),
  };
  const deployment = parsed({ ...withDocument(input, document), ...overrides(flags, null) }, null);
  return {
    kind: 'embedded',
    deployment,
    secretHeaders: [],
    waitSeconds: 0,
    origin: `no settings were given${heldTo(flags, read)}`,
  };
}

/** What is made up in a document decides as the rest does, so nobody should overlook it. */
function heldTo({ document }: TargetFlags, read: ReadDocument | undefined): string {
  const { length: open = 0 } = read?.todos ?? [];
  const lines = open === 1 ? '1 line of it is' : `${open} lines of it are`;
  const todo = open === 0 ? '' : ` (${lines} marked TODO: document check names them)`;
  if (document !== undefined) return `, held to ${document}${todo}`;
  return open === 0 ? '' : `, held to ${read?.shown}${todo}`;
}

/** A flag that means nothing to the embedded service; `null` where none was given. */
function flagForDeployment(flags: TargetFlags): string | null {
  if (flags.keyEnv !== undefined) return '--key-env';
  if (flags.headerEnv !== undefined) return '--header-env';
  if (flags.profile !== undefined) return '--profile';
  if (flags.wait !== undefined) return '--wait';
  return firstTransportFlag(flags);
}

function baseInput(
  flags: TargetFlags,
  file: ConfigFile | null,
  document: Document,
): Readonly<Record<string, unknown>> {
  return flags.profile === 'reference'
    ? { ...file?.input, requests: embeddedRequests(document) }
    : { ...file?.input };
}

function overrides(flags: TargetFlags, file: ConfigFile | null): Readonly<Record<string, unknown>> {
  const { stopAfter } = flags;
  const breaker = file?.input['breaker'];
  const given = {
    baseUrls: flags.url,
    keyEnv: flags.keyEnv,
    windowSeconds: flags.window,
    requestTimeoutSeconds: flags.timeout,
    maxRequests: flags.maxRequests,
    // What else the file says of the breaker stays, and is checked with the rest.
    breaker:
      stopAfter === undefined
        ? undefined
        : { ...(typeof breaker === 'object' ? breaker : {}), ...breakerInput(stopAfter) },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function parsed(input: Readonly<Record<string, unknown>>, file: ConfigFile | null): Deployment {
  const result = deploymentSchema.safeParse(input, plainly);
  if (result.success) {
    const places = [...secretPlacesInDocument(result.data.document), ...secretPlacesIn(result.data)];
    refuseSecrets(places, file?.path ?? 'flags');
    return result.data;
  }
  const where = file === null ? '' : ` (${file.path})`;
  throw new UsageError(`The settings cannot be used${where}:\n${explainIssues(result.error)}`);
}

/** A document as its file has it, and what a person still has to see to in it. */
type ReadDocument = {
  readonly document: Document;
  readonly shown: string;
  readonly todos: readonly unknown[];
};

/** The document that the flag names, or the settings file by its path; `undefined` where there is none to read. */
async function documentOf(
  flags: TargetFlags,
  file: ConfigFile | null,
  cwd: string,
): Promise<ReadDocument | undefined> {
  if (flags.document !== undefined) return documentIn(flags.document, cwd);
  const named = file?.input['document'];
  return typeof named === 'string' && file !== null ? documentIn(named, dirname(file.path)) : undefined;
}

/** What reads a document is loaded for those who have one: nobody else waits for YAML. */
async function documentIn(path: string, folder: string): Promise<ReadDocument> {
  return (await import('../document/document-file.ts')).loadWithPlaces(path, folder);
}

/** Settings held to a document: its window, and its requests where they have none of their own. */
function withDocument(
  input: Readonly<Record<string, unknown>>,
  document: Document | undefined,
): Readonly<Record<string, unknown>> {
  // One that stands in the settings file itself is checked with the rest.
  const { success, data } = documentSchema.safeParse(document ?? input['document'] ?? messagingDocument);
  if (!success) return input;
  const given = input['requests'];
  const shown = Object.entries(data.scopes).flatMap(([name, { request }]) =>
    request === undefined ? [] : [[name, request] as const],
  );
  const isRecord = given === undefined || isJsonObject(given);
  return {
    windowSeconds: data.windowSeconds,
    ...input,
    document: data,
    ...(isRecord ? { requests: { ...Object.fromEntries(shown), ...given } } : {}),
  };
}

/** @throws {UsageError} where a request is named by what is no scope of the document, or by a scope that does not count its method. */
function checkRequests({ document, requests, otherMethods }: Deployment): void {
  const scopes = scopesOf(document);
  const known = [...scopes, ...(scopes.includes('messages') ? ['messagesSubpath'] : []), 'otherError'];
  const wrong = [
    ...Object.keys(requests).flatMap((name) =>
      known.includes(name) ? [] : [{ field: 'requests', name, known }],
    ),
    ...Object.keys(otherMethods).flatMap((name) =>
      scopes.includes(name) ? [] : [{ field: 'otherMethods', name, known: scopes }],
    ),
  ];
  const unknown = wrong.map(
    ({ field, name, known: names }) =>
      `  ${field}: there is no field "${name}"${didYouMean(name, names)} Scopes of the document: ${scopes.join(', ')}.`,
  );
  const lines = [...unknown, ...elsewhere(document, { requests, otherMethods })];
  if (lines.length === 0) return;
  throw new UsageError(`The settings cannot be used:\n${lines.join('\n')}`);
}

/** Requests that a scope does not count, since it names other methods: they would fill another one in its place. */
function elsewhere(
  { scopes }: Document,
  fields: Pick<Deployment, 'requests' | 'otherMethods'>,
): readonly string[] {
  return Object.entries(fields).flatMap(([field, requests]) =>
    Object.entries(requests).flatMap(([name, request]) => {
      const scope = scopes[name];
      if (request === undefined || scope === undefined || countsMethod(scope, request.method)) return [];
      return [
        `  ${field}.${name}: it is a request by ${request.method}, and ${name} counts ${scope.methods?.join(', ')}.`,
      ];
    }),
  );
}
