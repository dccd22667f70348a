import type { ProbeKey } from '../../checks/http-request.ts';
import { requestsMaxUsual, spanMsMaxUsual, waitShare } from '../../checks/identify/unknown.ts';
import { type Deployment, deploymentSchema } from '../../contract/deployment.ts';
import type { Keys } from '../../contract/document/keys.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import type { RequestMethod } from '../../contract/request-template.ts';
import { secretParametersIn, secretPlacesIn, shownDeployment } from '../../contract/secret/secret-names.ts';
import type { Transport } from '../../contract/transport.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { plainly } from '../mistakes/plainly.ts';
import { checkHosts } from '../target/allowed-hosts.ts';
import { breakerInput } from '../target/breaker-input.ts';
import { checkKeyPlace } from '../target/check-key-place.ts';
import { explainIssues } from '../target/explain-issues.ts';
import { headerPair } from '../target/header-pair.ts';
import { type Environment, takeKeys } from '../target/keys.ts';
import {
  headerSecrets,
  secretHeadersOf,
  takeHeaders,
  withHeaders,
  withheldHeaders,
} from '../target/secret-headers.ts';
import { refuseSecrets } from '../target/secret-settings.ts';
import { passwordsIn } from '../target/target-secrets.ts';
import { openTransport, withProxy } from '../target/transport/open-transport.ts';
import { proxySecrets } from '../target/transport/proxy-secrets.ts';
import { type TransportFlags, transportInput } from '../target/transport/transport-flags.ts';

/** An endpoint as a person describes it; what is guessed is never forced. */
export type EndpointFlags = TransportFlags & {
  readonly url: string;
  readonly method: RequestMethod;
  readonly keyEnv?: string;
  /** Where the key goes; left out: it is a bearer token. */
  readonly keys?: Keys;
  readonly headerEnv?: readonly string[];
  readonly header?: readonly string[];
  readonly body?: string;
  readonly contentType: string;
  readonly limit?: number;
  readonly window?: number;
  readonly windows?: 1 | 2;
  readonly longest: number;
  readonly requests?: number;
  readonly out: string;
  readonly refusedBy: readonly number[];
  readonly timeout: number;
  /** Failures in a row; 0: never. */
  readonly stopAfter?: number;
  readonly allowHost?: readonly string[];
};

/** One request to be repeated, where to, and what its limiter is believed to be. */
export type Endpoint = {
  /** Holds the secret headers: it is never written anywhere. */
  readonly deployment: Deployment;
  /** The same without them. */
  readonly shown: Deployment;
  readonly transport: Transport;
  readonly keys: readonly ProbeKey[];
  /** All that is secret, the key among it: nothing of it may be written. */
  readonly secrets: readonly ProbeKey[];
  readonly credential: 'valid' | 'absent';
  readonly limit: number | null;
  readonly windowMs: number | null;
  readonly windows: 1 | 2 | 'auto';
  readonly windowMsMax: number;
  readonly unlimitedAfter: number;
  /** The most requests of all, and how long after the first one the last one leaves, ms. */
  readonly requestsMax: number;
  readonly spanMsMax: number;
  readonly refusedBy: readonly number[];
};

type EndpointAround = { readonly env: Environment; readonly cwd: string; readonly sent?: string };

/** Where the flags set no bound: after this many requests without a refusal there is no limiter. */
const unlimitedAfterUsual = 1_000;

/** Connections that stand open: as many requests leave at once, at most. */
const connections = 64;

/** The name that stands where no key is sent; nothing is read from the environment under it. */
const noKeyEnv = 'NO_KEY';

/**
 * The endpoint that flags describe, with its secrets taken out of the environment.
 * @param sent what would go there, for the refusal of a host that is not allowed.
 * @throws {UsageError} where an address, a host, a header or a variable cannot be used.
 */
export async function endpointOf(
  flags: EndpointFlags,
  { env, cwd, sent = 'as many requests as it takes until it refuses' }: EndpointAround,
): Promise<Endpoint> {
  const url = urlOf(flags.url);
  checkHosts([url.origin], flags.allowHost ?? [], sent, flags.resolve);
  const secretHeaders = secretHeadersOf(flags.headerEnv);
  const keyNames = flags.keyEnv === undefined ? [] : [flags.keyEnv];
  const given = parsed({
    ...(flags.keys === undefined ? {} : { document: { ...messagingDocument, keys: flags.keys } }),
    baseUrls: [url.origin],
    keyEnv: [flags.keyEnv ?? noKeyEnv],
    requestTimeoutSeconds: flags.timeout,
    connectionsPerScope: connections,
    breaker: breakerInput(flags.stopAfter),
    transport: transportInput(flags),
    requests: { standard: requestOf(flags, url) },
  });
  const transport = await openTransport(given, { env, cwd });
  const described = withProxy(given, transport);
  // A query may be the only place for a key that an endpoint has: it is withheld where it would be written.
  refuseSecrets(
    secretPlacesIn(described).filter(({ kind }) => kind === 'header'),
    'flags',
  );
  if (flags.keys !== undefined) checkKeyPlace(described, secretHeaders);
  const headers = takeHeaders(secretHeaders, env, keyNames);
  const [bearer] = takeKeys(keyNames, env);
  const windowMsMax = Math.max(flags.longest, waitShare * (flags.window ?? 0)) * 1_000;
  const requestsMax = flags.requests ?? requestsMaxUsual;
  return {
    deployment: withHeaders(described, headers),
    shown: shownDeployment(withHeaders(described, withheldHeaders(secretHeaders))),
    transport,
    keys: bearer === undefined ? [] : [bearer],
    secrets: [
      ...(bearer === undefined ? [] : [bearer, ...passwordsIn([bearer], described)]),
      ...headerSecrets(headers),
      ...proxySecrets(transport),
      ...secretParametersIn(url.search).map(({ name, value }) => ({ alias: name, secret: value })),
    ],
    credential: bearer === undefined ? 'absent' : 'valid',
    limit: flags.limit ?? null,
    windowMs: flags.window === undefined ? null : flags.window * 1_000,
    windows: flags.windows ?? 'auto',
    windowMsMax,
    unlimitedAfter: Math.min(
      requestsMax,
      Math.max(flags.requests ?? unlimitedAfterUsual, 2 * (flags.limit ?? 0)),
    ),
    requestsMax,
    spanMsMax: spanMsMaxUsual(windowMsMax),
    refusedBy: flags.refusedBy,
  };
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `--url ${text}: give an http:// or https:// address, e.g. http://127.0.0.1:8080/v1/status.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--url holds a user name or a password: give secrets by --key-env or --header-env.');
  }
  return url;
}

function requestOf({ method, header, body, contentType }: EndpointFlags, { pathname, search }: URL) {
  const headers = Object.fromEntries(
    (header ?? []).map((text) => headerPair(text, '--header Accept=text/plain')),
  );
  return {
    method,
    path: `${pathname}${search}`,
    headers,
    ...(body === undefined ? {} : { body: { text: body, contentType } }),
  };
}

function parsed(input: Readonly<Record<string, unknown>>): Deployment {
  const result = deploymentSchema.safeParse(input, plainly);
  if (result.success) return result.data;
  throw new UsageError(`The endpoint cannot be asked:\n${explainIssues(result.error)}`);
}
