import type { RequestTemplate } from '../../contract/deployment.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import type { ClauseResult } from '../clause-result.ts';
import type { Report } from '../result.ts';

/** Requests above the limit, which show where it is. */
const excess = 4;
const atOnce = 50;

/**
 * Shell commands with curl that repeat a violation: one request, or as many as fill the window and then that request.
 * Keys are named by their environment variables. `null` where no exchange was quoted.
 */
export function curlCommands(clause: ClauseResult, report: Report): string | null {
  if (clause.verdict.kind !== 'violated') return null;
  const { exchanges } = clause.verdict.evidence;
  const shown = exchanges.findLast(({ status }) => status === 429) ?? exchanges.at(-1);
  if (shown === undefined) return null;
  const request = requestOf(shown, report);
  const once = `curl -i ${request.options} ${quoted(request.urls[0])}`;
  const isAboutFullWindow =
    shown.status === 429 || /^(limits|window|load)\./.test(clause.id) || clause.id.startsWith('headers.rem');
  if (!isAboutFullWindow || shown.key === null) return [...request.before, once].join('\n');
  const limit = report.limits[shown.scope as keyof Report['limits']] ?? 0;
  const fill = `${repeated(request, limit + excess)} | sort | uniq -c`;
  const again = clause.id.startsWith('window.') ? [`sleep ${apartSeconds(exchanges, report)}`, fill] : [once];
  return [...request.before, fill, ...again].join('\n');
}

/** Sends many requests at once and prints their statuses. Nodes get equal shares one after another: their limit is one. */
function repeated({ options, urls, before }: CurlRequest, times: number): string {
  const [first, ...others] = urls;
  const each = Math.ceil(times / urls.length);
  const curl = `curl --no-progress-meter -o /dev/null -w '%{http_code}\\n'`;
  const target = (suffix: string) => (others.length === 0 ? quoted(`${first}${suffix}`) : `"$url${suffix}"`);
  const one =
    before.length > 0
      ? // curl sends the form of a repeated request only once.
        `seq ${each} | xargs -P ${atOnce} -I NTH ${curl} ${options} ${target('')}`
      : // What follows # is not sent: it only makes curl repeat the request.
        `${curl} -Z --parallel-max ${atOnce} ${options} ${target(`#[1-${each}]`)}`;
  return others.length === 0 ? one : `for url in ${urls.map(quoted).join(' ')}; do ${one}; done`;
}

/** As long as the evidence spans, which is less than a window where it does not roll; a whole window where it spans nothing. */
function apartSeconds(exchanges: readonly QuotedExchange[], { window }: Report): number {
  const seconds = Math.floor((exchanges.at(-1)?.sentMs ?? 0) / 1_000);
  return seconds >= 1 ? seconds : window.ms / 1_000;
}

type CurlRequest = {
  /** Commands that have to run first. */
  readonly before: readonly string[];
  readonly options: string;
  /** One for each node of the service. */
  readonly urls: readonly [string, ...string[]];
};

function requestOf(exchange: QuotedExchange, { deployment, keys }: Report): CurlRequest {
  const { method, path, key } = exchange;
  const urlAt = (base: string): string =>
    `${base.replace(/\/$/, '')}${path}`.replace(/[[\]{}]/g, encodeURIComponent);
  const [first = '', ...others] = deployment.baseUrls;
  const template = Object.values(deployment.requests).find(
    (one) => one !== undefined && one.method === method && one.path === path,
  );
  const env = keys.find(({ alias }) => alias === key)?.env ?? '';
  const { before, options } = bodyOf(template?.body);
  const all = [
    ...(method === 'GET' || (method === 'POST' && options.length > 0) ? [] : [`-X ${quoted(method)}`]),
    ...(key === null ? [] : [`-H "Authorization: Bearer $${env === '' ? 'API_KEY' : env}"`]),
    ...Object.entries(template?.headers ?? {}).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...options,
  ];
  return { before, options: all.join(' '), urls: [urlAt(first), ...others.map(urlAt)] };
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
