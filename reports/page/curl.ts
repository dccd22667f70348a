import { sendsKeys } from '../../contract/deployment.ts';
import { unknownKeyIn } from '../../contract/document/basic-keys.ts';
import { carriesKeys } from '../../contract/document/counted-by.ts';
import { type KeyPlace, keyField, keyPlaceOf } from '../../contract/document/key-place.ts';
import { answeredOf, type RequestTemplate } from '../../contract/request-template.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { TransportSettings } from '../../contract/transport.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import type { Report } from '../result.ts';

const atOnce = 50;

/** A request as a shell sends it again. Keys are named by their environment variables. */
export type CurlRequest = {
  /** Commands that have to run first, once. */
  readonly before: readonly string[];
  /** With a space after each, so that where there are none there is no second one. */
  readonly options: string;
  /** One for each node of the service. */
  readonly urls: readonly [string, ...string[]];
  /** The statuses other than 2xx of answers by which it passes. */
  readonly passed: readonly number[];
};

/** The parts of a request that a command repeats. */
export type RepeatedRequest = Pick<QuotedExchange, 'method' | 'path' | 'key' | 'credential'> & {
  /** Left out: that of the settings' request. */
  readonly scope?: Scope;
};

export function curlRequest(
  { method, path, key, credential, scope }: RepeatedRequest,
  report: Report,
): CurlRequest {
  const { deployment, keys } = report;
  const urlAt = (base: string): string => {
    const [host = ''] = /^[a-z]+:\/\/[^/]*/i.exec(base) ?? [];
    // Brackets are curl’s own patterns, but for those around an address by IPv6.
    const rest = `${base.slice(host.length).replace(/\/$/, '')}${path}`;
    return `${host}${rest.replace(/[[\]{}]/g, encodeURIComponent)}`;
  };
  const [first = '', ...others] = deployment.baseUrls;
  const [name, template] =
    Object.entries(deployment.requests).find(([, one]) => one?.method === method && one.path === path) ?? [];
  const isKeyed = carriesKeys(deployment.document, scope ?? name ?? '');
  const env = keys.find(({ alias }) => alias === key)?.env ?? '';
  const { before, options } = bodyOf(template?.body);
  const all = [
    ...(method === 'GET' || (method === 'POST' && options.length > 0) ? [] : [`-X ${quoted(method)}`]),
    ...(isKeyed ? credentialsOf({ key, credential, env }, { deployment, hasBody: options.length > 0 }) : []),
    ...Object.entries(template?.headers ?? {}).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...options,
    ...wayOf(deployment.transport),
  ];
  return {
    before,
    options: all.map((option) => `${option} `).join(''),
    urls: [urlAt(first), ...others.map(urlAt)],
    passed: template === undefined ? [] : answeredOf(template),
  };
}

/** The way that the run took. A password for a proxy is in no report: curl reads the same variables. */
function wayOf(transport: TransportSettings = {}): readonly string[] {
  const { ca, clientCert, clientKey, proxy, http, ip, resolve = [] } = transport;
  return [
    ...(ca === undefined ? [] : [`--cacert ${quoted(ca)}`]),
    ...(clientCert === undefined ? [] : [`--cert ${quoted(clientCert)}`]),
    ...(clientKey === undefined ? [] : [`--key ${quoted(clientKey)}`]),
    ...(proxy === 'none' ? [`--noproxy '*'`] : []),
    ...(proxy === undefined || proxy === 'none' ? [] : [`--proxy ${quoted(proxy)}`]),
    ...(http === '2' ? ['--http2'] : []),
    ...(ip === undefined ? [] : [`-${ip}`]),
    ...resolve.map((text) => `--resolve ${quoted(text)}`),
  ];
}

type Presented = Pick<RepeatedRequest, 'key' | 'credential'> & { readonly env: string };

/** The key, by the name of its variable, or what stands for one. */
function credentialsOf(
  { key, credential, env }: Presented,
  { deployment, hasBody }: { readonly deployment: Report['deployment']; readonly hasBody: boolean },
): readonly string[] {
  const place = keyPlaceOf(deployment.document);
  if (key !== null)
    return sendsKeys(deployment) ? [carrying(place, `$${env === '' ? 'API_KEY' : env}`, hasBody)] : [];
  if (credential === 'malformed') return [carrying(place, '', hasBody)];
  return credential === 'unknown' ? [carrying(place, unknownKeyIn(place, 'unknown-key'), hasBody)] : [];
}

function carrying(place: KeyPlace, key: string, hasBody: boolean): string {
  const quote = key.startsWith('$') ? '"' : "'";
  if (place.in === 'query') {
    // Both encode what has a meaning in URLs; the former, which older versions of curl know too, would take the place of a body.
    return `${hasBody ? '--url-query' : '-G --data-urlencode'} ${quote}${place.name}=${key}${quote}`;
  }
  // By a semicolon curl sends a header without a value.
  const field = key === '' && place.before === '' ? `${place.name};` : keyField(place, key).trimEnd();
  return `-H ${quote}${field}${quote}`;
}

/** Sends one request and prints its whole answer. */
export function once({ options, urls }: CurlRequest): string {
  return `curl -i ${options}${quoted(urls[0])}`;
}

/** Sends one request and prints nothing but one header of its answer. */
export function headerOnce({ options, urls }: CurlRequest, header: string): string {
  return `curl --no-progress-meter -o /dev/null -D - ${options}${quoted(urls[0])} | grep -i '^${header}:'`;
}

/** Sends one request and prints the number that a field of its JSON body has. */
export function fieldOnce({ options, urls }: CurlRequest, name: string): string {
  const field = `"${name.replaceAll(/[\\"[\].*^$]/g, '\\$&')}": *`;
  return `curl --no-progress-meter ${options}${quoted(urls[0])} | grep -o ${quoted(`${field}[0-9.]*`)} | grep -o '[0-9.]*$'`;
}

/**
 * Sends many requests at once and prints how many got each status. Nodes get equal shares one after another: their
 * limit is one.
 */
export function burst({ options, urls, before }: CurlRequest, times: number): string {
  const [first, ...others] = urls;
  const each = Math.ceil(times / urls.length);
  const curl = `curl --no-progress-meter -o /dev/null -w '%{http_code}\\n'`;
  const target = (suffix: string) => (others.length === 0 ? quoted(`${first}${suffix}`) : `"$url${suffix}"`);
  const numbered = absentFrom(`${options}${target('')}`);
  const one =
    before.length > 0
      ? // curl sends the form of a repeated request only once.
        `seq ${each} | xargs -P ${atOnce} -I ${numbered} ${curl} ${options}${target('')}`
      : // What follows # is not sent: it only makes curl repeat the request.
        `${curl} -Z --parallel-max ${atOnce} ${options}${target(`#[1-${each}]`)}`;
  const all = others.length === 0 ? one : `for url in ${urls.map(quoted).join(' ')}; do ${one}; done`;
  return `${all} | sort | uniq -c`;
}

/** A word for the number that `xargs` puts in its place, wherever it stands. */
function absentFrom(text: string): string {
  let word = 'NTH';
  while (text.includes(word)) word += 'H';
  return word;
}

function bodyOf(body: RequestTemplate['body']): Pick<CurlRequest, 'before'> & { options: readonly string[] } {
  if (body === undefined) return { before: [], options: [] };
  if ('json' in body) {
    const type = '-H "Content-Type: application/json"';
    return { before: [], options: [type, `--data-binary ${quoted(JSON.stringify(body.json))}`] };
  }
  if ('text' in body) {
    const type = `-H ${quoted(`Content-Type: ${body.contentType}`)}`;
    return { before: [], options: [type, `--data-binary ${quoted(body.text)}`] };
  }
  const { field, filename, contentType, bytes } = body.file;
  return {
    before: [`head -c ${bytes} /dev/zero > ${quoted(filename)}`],
    options: [`-F ${quoted(`${field}=@${filename};type=${contentType}`)}`],
  };
}

/** One word for a POSIX shell; left bare where it holds nothing special. */
function quoted(text: string): string {
  return /^[A-Za-z0-9_./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
