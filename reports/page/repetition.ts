import { scopesWithRequest } from '../../contract/deployment.ts';
import { isRollingBound } from '../../contract/document/document.ts';
import { limitIn, type Scope } from '../../contract/scopes.ts';
import type { Evidence, QuotedExchange } from '../../contract/verdict.ts';
import type { ClauseResult } from '../clause-result.ts';
import type { Report } from '../result.ts';
import { burst, type CurlRequest, curlRequest, headerOnce, once } from './curl.ts';

/** What a command has to print where the service still does it. */
export type Shows =
  /** All requests of the command together: more or fewer 2xx than a service as documented admits. */
  | {
      readonly kind: 'admitted';
      readonly relation: 'more' | 'fewer';
      readonly than: number;
      /** What it means, where the figure alone does not say it. */
      readonly meaning?: string;
    }
  /** The last answer, which is printed whole, has the flaw itself. */
  | { readonly kind: 'answer' }
  /** The last answer has this status. */
  | { readonly kind: 'status'; readonly status: number; readonly why: string }
  /** Values of Remaining other than these. */
  | { readonly kind: 'not-counting-down'; readonly from: number; readonly values: number };

/** Shell commands that repeat a violation, and what they show; or why one command cannot show it. */
export type Repetition =
  | { readonly kind: 'commands'; readonly lines: string; readonly shows: Shows }
  | { readonly kind: 'none'; readonly why: string };

/** How a violation can be repeated by hand; `null` where the clause is not violated or no exchange was quoted. */
export function repetitionOf(clause: ClauseResult, report: Report): Repetition | null {
  const { verdict } = clause;
  if (verdict.kind !== 'violated' || verdict.evidence.exchanges.length === 0) return null;
  const { reason, evidence } = verdict;
  if (clause.id.startsWith('load.') && !byOneBurst.has(clause.id))
    return none(
      `needs the load of its scenario: run "conformance load ${clause.id.slice('load.'.length)}" again`,
    );
  const made = isOfAnswers(clause.id, reason) ? undefined : byReason[reason];
  return made === undefined ? ofAnswer(clause.id, evidence, report) : made({ evidence, report });
}

/** Clauses on errors and headers have reasons that are called as some of the count are. */
function isOfAnswers(id: string, reason: string): boolean {
  return /^(error|headers|auth)\./.test(id) && !aboutCount.has(reason);
}

/** Reasons of errors and headers that one answer does not show. */
const aboutCount: ReadonlySet<string> = new Set(['too-high', 'too-low', 'second-429', 'longer-than-needed']);

const byOneBurst: ReadonlySet<string> = new Set(['load.messages-burst', 'load.media-burst', 'load.nodes']);

type Shown = { readonly evidence: Evidence; readonly report: Report };

const none = (why: string): Repetition => ({ kind: 'none', why });

/** Requests above the limit, which show where it is. */
const excess = 4;

const byReason: Readonly<Record<string, (shown: Shown) => Repetition>> = {
  'over-admission': overAdmission,
  'counted-per-node': overAdmission,
  'wrongful-429': (shown) => {
    const { request, limit } = requestOf(shown);
    return commands([request], [burst(request, limit)], { kind: 'admitted', relation: 'fewer', than: limit });
  },
  'early-return': earlyReturn,
  'late-return': lateReturn,
  'too-long': tooLong,
  'too-short': tooShort,
  'one-window-for-scopes': otherScope,
  'one-window-for-keys': otherKey,
  'counted-apart': subpath,
  'too-high': remaining,
  'too-low': remaining,
  'second-429': waitInVain,
  'whole-seconds': () => none('depends on the fraction of a second at which a place was taken'),
  'longer-than-needed': () => none('may depend on the moment of the refusal'),
};

function requestOf({ evidence, report }: Shown): { readonly request: CurlRequest; readonly limit: number } {
  const shown = evidence.exchanges.at(-1) as QuotedExchange;
  return { request: curlRequest(shown, report), limit: limitOf(shown, report) };
}

function limitOf({ scope }: QuotedExchange, { limits }: Report): number {
  return limits[scope as Scope] ?? 0;
}

function commands(requests: readonly CurlRequest[], lines: readonly string[], shows: Shows): Repetition {
  const before = [...new Set(requests.flatMap((request) => request.before))];
  return { kind: 'commands', lines: [...before, ...lines].join('\n'), shows };
}

function sleep(seconds: number): string {
  return `sleep ${Math.ceil(seconds)}`;
}

/** In one burst where the evidence shows it so; else half a window later, as places must not have come back by then. */
function overAdmission(shown: Shown): Repetition {
  const { request, limit } = requestOf(shown);
  const { scope = '' } = shown.evidence.exchanges.at(-1) ?? {};
  if (!isRollingBound(shown.report.deployment.document, scope))
    return none('needs a whole run: a limit of this kind lets more pass at times');
  const { damage } = shown.evidence;
  const isAtOnce = damage?.kind === 'admitted' && damage.withinMs <= quickMs && damage.most > limit;
  const first = burst(request, limit + excess);
  const again = [sleep(shown.report.window.ms / 2_000), burst(request, limit)];
  return commands([request], isAtOnce ? [first] : [first, ...again], {
    kind: 'admitted',
    relation: 'more',
    than: limit,
  });
}

const quickMs = 5_000;

/**
 * One request, all others but this one just before its window ends, and a whole limit just after: a window that begins
 * anew admits nearly twice the limit within seconds. It begins on a whole window of the wall clock, where most do.
 */
function earlyReturn(shown: Shown): Repetition {
  const { request, limit } = requestOf(shown);
  const { report, evidence } = shown;
  const [first] = evidence.exchanges;
  const found = report.identified.find(({ scope, key }) => scope === first?.scope && key === first.key);
  const isFixed =
    found?.algorithm === 'fixed-window-wall-clock' || found?.algorithm === 'fixed-window-first-request';
  const windowSeconds = report.window.ms / 1_000;
  const shortSeconds = Math.min(3, Math.max(2, Math.round(windowSeconds / 20)));
  if (!isFixed || !Number.isInteger(windowSeconds) || windowSeconds <= 2 * shortSeconds)
    return none('depends on the moments at which places come back, which differ from run to run');
  const lines = [
    `sleep $((${windowSeconds} - $(date +%s) % ${windowSeconds}))`,
    burst(request, 1),
    sleep(windowSeconds - shortSeconds),
    burst(request, limit - 1),
    sleep(shortSeconds + 1),
    burst(request, limit),
  ];
  // One place is free again by then in a window that rolls.
  return commands([request], lines, {
    kind: 'admitted',
    relation: 'more',
    than: limit + 1,
    meaning: `a fixed window admits ${2 * limit - 1} of the last two lines within about ${shortSeconds + 1} s`,
  });
}

/**
 * A window after the first requests all places but those of the few rejections in between have to be free again, whether
 * rejections count or not. Those show a limiter that begins its wait anew with each of them.
 */
function lateReturn(shown: Shown): Repetition {
  const { request, limit } = requestOf(shown);
  const halfSeconds = shown.report.window.ms / 2_000;
  const lines = [
    burst(request, limit),
    sleep(halfSeconds),
    burst(request, excess),
    sleep(halfSeconds + 1),
    burst(request, limit),
  ];
  return commands([request], lines, { kind: 'admitted', relation: 'fewer', than: 2 * limit - excess });
}

function tooLong(shown: Shown): Repetition {
  const { request, limit } = requestOf(shown);
  const { report, evidence } = shown;
  const first = evidence.exchanges[0];
  const measured = report.groups.find(({ scope, key }) => scope === first?.scope && key === first.key);
  const pauseMs = report.window.ms + 1_000;
  const isClear = (measured?.windowMs?.low ?? 0) - pauseMs > 1_000;
  if (!isClear) return none('is too close to the right length for commands that are started by hand');
  return commands([request], [burst(request, limit), sleep(pauseMs / 1_000), burst(request, limit)], {
    kind: 'admitted',
    relation: 'fewer',
    than: 2 * limit,
  });
}

function tooShort(shown: Shown): Repetition {
  const { request, limit } = requestOf(shown);
  const { exchanges } = shown.evidence;
  const spanMs = (exchanges.at(-1)?.receivedMs ?? 0) - (exchanges[0]?.sentMs ?? 0);
  const seconds = Math.ceil(spanMs / 1_000);
  if (seconds + 1 >= shown.report.window.ms / 1_000)
    return none('is too close to the right length for commands that are started by hand');
  return commands([request], [burst(request, limit), sleep(seconds), burst(request, limit)], {
    kind: 'admitted',
    relation: 'more',
    than: limit,
  });
}

function otherScope({ evidence, report }: Shown): Repetition {
  const shown = evidence.exchanges.at(-1) as QuotedExchange;
  const { key } = shown;
  const { requests } = report.deployment;
  const other = scopesWithRequest(report.deployment).find((scope) => scope !== shown.scope);
  const template = other === undefined ? undefined : requests[other];
  if (other === undefined || template === undefined) return none('needs a request for another scope');
  const own = limitOf(shown, report);
  const request = curlRequest(shown, report);
  const others = curlRequest({ method: template.method, path: template.path, key }, report);
  return commands([others, request], [burst(others, limitIn(report.limits, other)), burst(request, own)], {
    kind: 'admitted',
    relation: 'fewer',
    than: own + limitIn(report.limits, other),
  });
}

function otherKey({ evidence, report }: Shown): Repetition {
  const shown = evidence.exchanges.at(-1) as QuotedExchange;
  const other = report.keys.find(({ alias }) => alias !== shown.key);
  if (other === undefined) return none('needs a second key');
  const request = curlRequest(shown, report);
  const others = curlRequest({ ...shown, key: other.alias }, report);
  return commands([others, request], [burst(others, limitOf(shown, report)), once(request)], {
    kind: 'status',
    status: 429,
    why: 'although it is the first with its key',
  });
}

function subpath({ evidence, report }: Shown): Repetition {
  const shown = evidence.exchanges.at(-1) as QuotedExchange;
  const { messages, messagesSubpath } = report.deployment.requests;
  if (messages === undefined || messagesSubpath === undefined) return none('needs requests for both paths');
  const { key } = shown;
  const main = curlRequest({ method: messages.method, path: messages.path, key }, report);
  const below = curlRequest({ method: messagesSubpath.method, path: messagesSubpath.path, key }, report);
  return commands([main, below], [burst(main, limitIn(report.limits, 'messages')), once(below)], {
    kind: 'status',
    status: 200,
    why: 'although the window of /v1/messages is full',
  });
}

/** How many values of Remaining are printed one after another. */
const valuesShown = 5;

/** First a request to each other scope, which takes no place of this one. */
function remaining(shown: Shown): Repetition {
  const { request, limit } = requestOf(shown);
  const { scope: ownScope, key } = shown.evidence.exchanges[0] as QuotedExchange;
  const { requests } = shown.report.deployment;
  const others = scopesWithRequest(shown.report.deployment).flatMap((scope) => {
    const template = scope === ownScope ? undefined : requests[scope];
    if (template === undefined) return [];
    return [curlRequest({ method: template.method, path: template.path, key }, shown.report)];
  });
  const one = headerOnce(request, 'x-ratelimit-remaining');
  const lines = [
    ...others.map((other) => burst(other, 1)),
    `for n in ${Array.from({ length: valuesShown }, (_, at) => at + 1).join(' ')}; do ${one}; done`,
  ];
  return commands([...others, request], lines, {
    kind: 'not-counting-down',
    from: limit - 1,
    values: valuesShown,
  });
}

function waitInVain(shown: Shown): Repetition {
  const { request, limit } = requestOf(shown);
  const { options, urls } = request;
  const wait = `wait=$(curl --no-progress-meter ${options}'${urls[0]}' | grep -o '"retry_after_seconds": *[0-9]*' | grep -o '[0-9]*$')`;
  return commands([request], [burst(request, limit), wait, 'sleep "$wait"', once(request)], {
    kind: 'status',
    status: 429,
    why: 'although the wait that a 429 asked for is over, and nothing else was sent',
  });
}

/** One answer is flawed: the request again, after as many as fill the window where it is a refusal that is. */
function ofAnswer(id: string, { exchanges }: Evidence, report: Report): Repetition {
  const refusal = exchanges.find(({ status, key }) => status === 429 && key !== null);
  const isAboutRefusals = id.startsWith('error.') && id !== 'error.other-shape';
  const other = exchanges.find(({ status, key }) => status !== 429 || key === null);
  const shown = isAboutRefusals ? (refusal ?? other) : (other ?? refusal);
  if (shown === undefined) return none('needs an answer that the report does not quote');
  const request = curlRequest(shown, report);
  const needsFull = shown.key !== null && (isAboutRefusals || shown === refusal);
  const fill = needsFull ? [burst(request, limitOf(shown, report) + excess)] : [];
  return commands([request], [...fill, once(request)], { kind: 'answer' });
}

/** What commands show, for a person to compare with what they print. */
export function showsText(shows: Shows): string {
  switch (shows.kind) {
    case 'admitted':
      return `${shows.relation} than ${shows.than} × 2xx in all${shows.meaning === undefined ? '' : `: ${shows.meaning}`}`;
    case 'answer':
      return 'the flaw in the answer that is printed last';
    case 'status':
      return `HTTP ${shows.status} in the answer that is printed last, ${shows.why}`;
    case 'not-counting-down':
      return `values other than ${Array.from({ length: shows.values }, (_, at) => shows.from - at).join(', ')}`;
    default:
      return shows satisfies never;
  }
}
