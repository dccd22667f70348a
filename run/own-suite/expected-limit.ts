import type { ProbeKey } from '../../checks/http-request.ts';
import { type Deployment, deploymentSchema } from '../../contract/deployment.ts';
import { type Document, documentSchema } from '../../contract/document/document.ts';
import { bearerHeader } from '../../contract/document/key-place.ts';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import { isSameHeader } from '../../contract/header-name.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { plainly } from '../mistakes/plainly.ts';
import { checkHosts } from '../target/allowed-hosts.ts';
import { explainIssues } from '../target/explain-issues.ts';
import { checkNames } from './check-names.ts';

/** One request of one's own app, as `fetch` would send it. It is sent again and again, so it should change nothing. */
export type Endpoint = {
  readonly url: string | URL;
  /** Left out: GET. */
  readonly method?: Deployment['requests'][string] extends infer Request | undefined
    ? Request extends { readonly method: infer Method }
      ? Method
      : never
    : never;
  /** Sent with each request, a key among them. Limits of an address need none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** The status, or up to four, of its answer where it passes, if that is no 2xx: 401 to a wrong password. */
  readonly answered?: number | readonly number[];
  /** Hosts other than this machine that may be asked: they get hundreds of requests. */
  readonly allowHosts?: readonly string[];
};

/** What the limiter promises to whoever sends that request. */
export type ExpectedLimit = {
  /** So many requests pass in a window; the next ones get a 429. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** How places come back, as a document says it: in a rolling window each of them once it is as old as the window. */
  readonly promise: PromiseSetting;
  /** The status of those over the limit; left out: 429. */
  readonly status?: number;
};

const endpointFields: Readonly<Record<keyof Endpoint, true>> = {
  url: true,
  method: true,
  headers: true,
  json: true,
  answered: true,
  allowHosts: true,
};

const limitFields: Readonly<Record<keyof ExpectedLimit, true>> = {
  limit: true,
  windowSeconds: true,
  promise: true,
  status: true,
};

/** The scope that all requests are counted in. */
const scope = 'endpoint';

/** Longer windows make tests that nobody waits for. */
const windowSecondsMax = 60;

/** A deployment and what it is asked with. Its headers may be secret: it is written nowhere as it is. */
export type KeyedDeployment = {
  readonly deployment: Deployment;
  readonly keys: readonly ProbeKey[];
};

/**
 * An endpoint and its limit as a deployment held to a document that promises nothing else.
 * @throws {UsageError} naming what cannot be used, and its fix.
 */
export function deploymentOf(endpoint: Endpoint, expected: ExpectedLimit): KeyedDeployment {
  checkNames('endpoint', endpoint, Object.keys(endpointFields));
  checkNames('limit', expected, Object.keys(limitFields));
  const { url: given, method = 'GET', headers = {}, json, answered, allowHosts = [] } = endpoint;
  if (!Array.isArray(allowHosts))
    throw new UsageError("allowHosts: must be a list of host names, as ['staging.example.test'].");
  if (!URL.canParse(String(given)))
    throw new UsageError(`url: ${String(given)} is no address, like http://127.0.0.1:3000/items.`);
  const url = new URL(given);
  checkHosts([url.origin], allowHosts, { sent: 'hundreds of requests', option: 'allowHosts' });
  const request = {
    method,
    path: `${url.pathname}${url.search}`,
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => !isSameHeader(bearerHeader.name, name)),
    ),
    ...(json === undefined ? {} : { body: { json } }),
    ...(answered === undefined ? {} : { answered }),
  };
  const settings = {
    document: documentOf(url.pathname, expected),
    baseUrls: [url.origin],
    keyEnv: ['NO_KEY'],
    requests: { [scope]: request },
    windowSeconds: expected.windowSeconds,
    probeWithoutKey: false,
  };
  const deployment = deploymentSchema.safeParse(settings, plainly);
  if (!deployment.success)
    throw new UsageError(`The endpoint cannot be asked:\n${explainIssues(deployment.error, inOwnWords)}`);
  const [, authorization = null] =
    Object.entries(headers).find(([name]) => isSameHeader(bearerHeader.name, name)) ?? [];
  return {
    deployment: deployment.data,
    keys: [{ alias: 'A', secret: authorization ?? '', authorization }],
  };
}

/** @throws {UsageError} where no document can promise that. */
function documentOf(title: string, { limit, windowSeconds, promise, status }: ExpectedLimit): Document {
  if (windowSeconds > windowSecondsMax) {
    throw new UsageError(
      `windowSeconds: ${windowSeconds} is longer than ${windowSecondsMax}: give your limiter a short window where it is tested, 2 s for example.`,
    );
  }
  const said = {
    version: 1,
    title: 'the limit of this test',
    windowSeconds,
    headers: 'none',
    errors: 'none',
    keys: 'none',
    ...(status === undefined ? {} : { refusal: { status } }),
    scopes: { [scope]: { title: title.slice(0, 80), limit, ...(promise === 'rolling' ? {} : { promise }) } },
  };
  const document = documentSchema.safeParse(said, plainly);
  if (document.success) return document.data;
  throw new UsageError(`The limit cannot be tested:\n${explainIssues(document.error, inOwnWords)}`);
}

/** A document and a deployment are made of what was given: their fields go by its names. */
const inOwnWords = {
  fixes: {},
  nameOf: (path: string) =>
    path
      .replace(`requests.${scope}.body.`, '')
      .replace(`requests.${scope}.`, '')
      .replace(`scopes.${scope}.`, '')
      .replace('refusal.', '')
      .replace(/^baseUrls\.\d+/, 'url'),
};
