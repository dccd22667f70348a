import { bounds } from '../../contract/bounds.ts';
import { scopesWithRequest } from '../../contract/deployment.ts';
import {
  countsUp,
  type Headers,
  keysOf,
  promisedHeaders,
  recordedNames,
  remainingFormOf,
  styleOf,
} from '../../contract/document/headers.ts';
import { type RetryAfterHeader, retryAfterOf } from '../../contract/document/retry-after.ts';
import { headersIn } from '../../contract/document/scope-headers.ts';
import { tokensOf } from '../../contract/json-pointer.ts';
import { resetRules } from '../../contract/reset-units.ts';
import type { QuotedExchange } from '../../contract/verdict.ts';
import { waitUnitOf } from '../../contract/wait-units.ts';
import { burst, type CurlRequest, curlRequest, fieldOnce, headerOnce, once } from './curl.ts';
import {
  commands,
  countedIn,
  excess,
  isRefusal,
  lastOf,
  none,
  placesReturn,
  type Repetition,
  refusedBy,
  type ScopeAllowance,
  type Seldom,
  type ShownViolation,
  whyCountless,
} from './repeated.ts';

/** One answer is flawed: the request again, after as many as fill the window where it is a refusal that is. */
export function ofAnswer({ id, evidence, report }: ShownViolation): Repetition {
  const { exchanges } = evidence;
  const refusal = exchanges.find((one) => isRefusal(one, report));
  const isAboutRefusals = /^(error|refusal)\./.test(id) && id !== 'error.other-shape';
  const other = exchanges.find((one) => !isRefusal(one, report));
  const shown = isAboutRefusals ? (refusal ?? other) : (other ?? refusal);
  if (shown === undefined) return none('needs an answer that the report does not quote');
  const request = curlRequest(shown, report);
  const needsFull = shown.key !== null && (isAboutRefusals || shown === refusal);
  if (!needsFull) return commands([request], [once(request)], { kind: 'answer' });
  const counted = countedIn(report, shown.scope);
  if (isSoonFree(counted)) return none(soonFree);
  const seldom = seldomOf({ id, evidence, report });
  const shows = { kind: 'answer', ...(seldom === null ? {} : { seldom }) } as const;
  return commands([request], [filled(request, counted), once(request)], shows);
}

/** How few refusals of all that a run met in the scopes of its evidence have the flaw; `null` where it may be in each. */
function seldomOf({ evidence, report }: ShownViolation): Seldom | null {
  const { exchanges, exchangesTotal: seen } = evidence;
  const scopes = [...new Set(exchanges.map(({ scope }) => scope))];
  const refusals = report.groups
    .filter(({ scope }) => scopes.includes(scope))
    .reduce((sum, { limited }) => sum + limited, 0);
  // Some are not judged, as where their bodies are not whole.
  return 2 * seen < refusals ? { seen, refusals, scopes } : null;
}

/** As many as fill the least of a scope's limits, and some more. */
function filled(request: CurlRequest, { least }: ScopeAllowance): string {
  return burst(request, least + excess);
}

/** Whether a bucket gets a token sooner than a command by hand follows another one. */
function isSoonFree({ parts }: ScopeAllowance): boolean {
  return parts.some(
    ({ promise, seconds, perWindow }) =>
      promise.kind === 'token-bucket' && (1_000 * seconds) / perWindow < byHandMs,
  );
}

const byHandMs = 250;
const soonFree = 'needs a refusal, and places come back sooner than commands follow each other by hand';

/** A refusal although the wait that one announced is over. */
export function waitInVain(shown: ShownViolation): Repetition {
  const { report } = shown;
  const last = lastOf(shown);
  const request = curlRequest(last, report);
  const counted = countedIn(report, last.scope);
  if (counted.parts.some(({ promise }) => promise.kind === 'token-bucket')) return none(placesReturn);
  const wait = waitOf(shown, request);
  if (wait === null) return none('depends on a moment, which no command by hand keeps to the second');
  return commands([request], [filled(request, counted), ...wait, once(request)], {
    kind: 'status',
    statuses: refusedBy(report),
    why: `although the wait that ${shown.id === statedId ? 'the document says' : 'a refusal asked for'} is over, and nothing else was sent`,
  });
}

const statedId = 'refusal.stated-wait-suffices';

/** Commands that wait as long as a refusal says, or as the document does and a second more; `null` where that is a moment in words. */
function waitOf(shown: ShownViolation, request: CurlRequest): readonly string[] | null {
  const { waitSeconds = 0 } = shown.report.deployment.document.refusal ?? {};
  if (shown.id === statedId) return [`sleep ${Math.ceil(waitSeconds + bounds.granularityMs / 1_000)}`];
  const figure = figureOf(shown, request);
  return figure === null ? null : [`wait=$(${figure})`, 'sleep "$wait"'];
}

/** A command that prints the wait of a refusal, s; `null` where that is a moment in words. */
function figureOf(shown: ShownViolation, request: CurlRequest): string | null {
  const { id, report } = shown;
  const { document } = report.deployment;
  const { refusal } = document;
  if (id === 'refusal.reset-suffices') return resetFigure(headersIn(document, lastOf(shown).scope), request);
  if (id === 'refusal.retry-after-suffices') {
    return retryAfterFigure(retryAfterOf(refusal), request);
  }
  if (id !== 'refusal.wait-suffices') return fieldOnce(request, 'retry_after_seconds');
  const name = tokensOf(refusal?.retryAfterPointer ?? '').at(-1) ?? '';
  const value = fieldOnce(request, name);
  return waitUnitOf(refusal) === 'ms' ? `${value} | awk '{ print $1 / 1000 }'` : value;
}

/** A command that prints the wait that a header says, s; `null` where that is a date, or a duration in words. */
function retryAfterFigure(header: RetryAfterHeader | null, request: CurlRequest): string | null {
  if (header === null) return null;
  const { name, form } = header;
  if (form === 'date' || form === 'either' || form === 'duration') return null;
  return `${headerOnce(request, name)} | awk '{ print ${form === 'ms' ? '$2 / 1000' : '$2 + 0'} }'`;
}

/** A command that prints how long it is until the reset of a refusal, and a second more, s; `null` where no simple command reads it. */
function resetFigure(said: { readonly headers: Headers }, request: CurlRequest): string | null {
  const { reset: name } = recordedNames(said);
  const style = styleOf(said);
  const { unit } = promisedHeaders(said);
  if (name === null || style === 'keyed' || style === 'ietf-draft-7') return null;
  if (unit === 'duration' || unit === 'date') return null;
  const { origin } = resetRules[unit];
  const value = unit === 'ms' || unit === 'epoch-ms' ? '$2 / 1000' : '$2';
  const [now, since] = origin === 'epoch' ? [' -v now="$(date +%s)"', ' - now'] : ['', ''];
  return `${headerOnce(request, name)} | awk${now} '{ s = ${value}${since} + 1; print (s > 0 ? s : 0) }'`;
}

/** What prints what remains from a line of its header, by the style of a document; nothing where it is all of it. */
const figures: Readonly<Record<Exclude<ReturnType<typeof styleOf>, 'keyed'>, (limit: number) => string>> = {
  plain: () => '',
  listed: () => " | grep -o ': *[0-9]*'",
  // awk takes the number that a word begins with.
  used: (limit) => ` | awk '{ print ${limit} - $2 }'`,
  ietf: () => " | grep -o ';r=[0-9]*'",
  'ietf-draft-7': () => " | grep -o 'remaining=[0-9]*'",
};

/** What prints it, whatever else the header says. */
function printed(said: { readonly headers: Headers }, limit: number): string {
  const style = styleOf(said);
  if (style !== 'keyed') return figures[style](limit);
  const { remaining: key } = keysOf(said);
  const form = remainingFormOf(said);
  if (key === null) return countsUp(form) ? figures.used(limit) : figures.listed(limit);
  // It may be the end of another key, and in JSON quotes stand around it.
  const only = key.replaceAll('.', '[.]').replaceAll('*', '[*]');
  const value = ` | grep -o '[^A-Za-z0-9_.*-]${only}"\\{0,1\\} *[=:] *"\\{0,1\\}[0-9]*' | grep -o '[0-9]*$'`;
  return countsUp(form) ? `${value} | awk '{ print ${limit} - $1 }'` : value;
}

/** How many values of Remaining are printed one after another. */
const valuesShown = 5;

/** How long the key is left alone before another one, of a window, where it began anew: what was counted before counts still. */
const leftAloneShare = 0.9;

/** First a request to each other scope, which takes no place of this one. */
export function remaining({ evidence, report }: ShownViolation): Repetition {
  const { scope: ownScope, key, method, path } = evidence.exchanges[0] as QuotedExchange;
  const counted = countedIn(report, ownScope);
  const { deployment } = report;
  const said = headersIn(deployment.document, ownScope);
  const header = recordedNames(said).remaining;
  const why = whyCountless(counted);
  if (why !== null) return none(why);
  if (header === null || promisedHeaders(said).on.remaining === 'limited')
    return none('is told by refusals alone, one of which says no more than the next');
  if (isSoonFree(counted)) return none('needs a whole run: places come back meanwhile');
  const request = curlRequest({ method, path, key }, report);
  const others = scopesWithRequest(deployment).flatMap((scope) => {
    const template = scope === ownScope ? undefined : deployment.requests[scope];
    if (template === undefined) return [];
    return [curlRequest({ method: template.method, path: template.path, key }, report)];
  });
  const figure = printed(said, counted.limit);
  const one = `${headerOnce(request, header.toLowerCase())}${figure}`;
  const isAnew = Number(evidence.exchanges[0]?.remaining) === counted.limit - 1;
  const shown = isAnew
    ? [one, `sleep ${Math.floor((leftAloneShare * counted.windowMs) / 1_000)}`, one]
    : [`for n in ${Array.from({ length: valuesShown }, (_, at) => at + 1).join(' ')}; do ${one}; done`];
  return commands([...others, request], [...others.map((other) => burst(other, 1)), ...shown], {
    kind: 'not-counting-down',
    values: Array.from({ length: isAnew ? 2 : valuesShown }, (_, at) => String(counted.limit - 1 - at)),
  });
}
