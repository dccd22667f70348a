import type { RequestTemplate } from '../../contract/deployment.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import type { ClauseResult, Report } from '../result.ts';

/** Requests beyond the limit that show it from above. */
const excess = 4;
const atOnce = 50;

/**
 * Commands for a shell with curl that send again what proves a violation: one request, or as many as fill the window
 * before it. Keys are named by their environment variables. `null` where no exchange was quoted.
 */
export function curlCommands(clause: ClauseResult, report: Report): string | null {
  if (clause.verdict.kind !== 'violated') return null;
  const { exchanges } = clause.verdict.evidence;
  const shown = exchanges.findLast(({ status }) => status === 429) ?? exchanges.at(-1);
  if (shown === undefined) return null;
  const request = requestOf(shown, report);
  const once = `curl -i ${request.options} ${quoted(request.url)}`;
  const isAboutFullWindow =
    shown.status === 429 || /^(limits|window|load)\./.test(clause.id) || clause.id.startsWith('headers.rem');
  if (!isAboutFullWindow || shown.key === null) return [...request.before, once].join('\n');
  const limit = report.limits[shown.scope as keyof Report['limits']] ?? 0;
  const fill = `${repeated(request, limit + excess)} | sort | uniq -c`;
  const again = clause.id.startsWith('window.') ? [`sleep ${apartSeconds(exchanges, report)}`, fill] : [once];
  return [...request.before, fill, ...again].join('\n');
}

/** Prints the status of each of many requests at once. */
function repeated({ options, url, before }: CurlRequest, times: number): string {
  const curl = `curl --no-progress-meter -o /dev/null -w '%{http_code}\\n'`;
  // curl sends the form of a repeated request only once.
  if (before.length > 0) return `seq ${times} | xargs -P ${atOnce} -I NTH ${curl} ${options} ${quoted(url)}`;
  // What follows # is not sent: it only makes curl repeat the request.
  return `${curl} -Z --parallel-max ${atOnce} ${options} ${quoted(`${url}#[1-${times}]`)}`;
}

/** As far apart as the evidence lies, which for a window that does not roll is less than one; a whole one where it has no span. */
function apartSeconds(exchanges: readonly QuotedExchange[], { window }: Report): number {
  const seconds = Math.floor((exchanges.at(-1)?.sentMs ?? 0) / 1_000);
  return seconds >= 1 ? seconds : window.ms / 1_000;
}

type CurlRequest = {
  /** Commands that have to come first. */
  readonly before: readonly string[];
  readonly options: string;
  readonly url: string;
};

function requestOf(exchange: QuotedExchange, { deployment, keys }: Report): CurlRequest {
  const { method, path, key } = exchange;
  const [base = ''] = deployment.baseUrls;
  const url = `${base.replace(/\/$/, '')}${path}`.replace(/[[\]{}]/g, encodeURIComponent);
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
  return { before, options: all.join(' '), url };
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
