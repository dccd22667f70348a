import { scopesWithRequest } from '../../contract/deployment.ts';
import { isRollingBound } from '../../contract/document/document.ts';
import type { IdentifiedGroup } from '../../contract/identification.ts';
import { limitIn } from '../../contract/scopes.ts';
import { burst, curlRequest, once } from './curl.ts';
import {
  commands,
  countedIn,
  excess,
  lastOf,
  none,
  placesReturn,
  type Repetition,
  refusedBy,
  requestOf,
  type ScopeAllowance,
  type ShownViolation,
  whyCountless,
} from './repeated.ts';

/** How a violation of how many requests pass is repeated, where its scope has one limit and each request takes 1 of it. */
type ByCount = (shown: ShownViolation, counted: ScopeAllowance) => Repetition;

/** By the reason of the violation. */
const byReason: Readonly<Record<string, ByCount>> = {
  'over-admission': overAdmission,
  'counted-per-node': overAdmission,
  'wrongful-429': wrongfulRefusal,
  'early-return': earlyReturn,
  'late-return': lateReturn,
  'too-long': tooLong,
  'too-short': tooShort,
  'one-window-for-scopes': otherScope,
  'one-window-for-keys': otherKey,
  'counted-apart': countedApart,
  'whole-seconds': () => none('depends on the fraction of a second at which a place was taken'),
};

/** Commands that show what passes, or why none do; `null` where the reason is another one. */
export function ofCount(reason: string, shown: ShownViolation): Repetition | null {
  const repeat = byReason[reason];
  if (repeat === undefined) return null;
  const counted = countedIn(shown.report, lastOf(shown).scope);
  const why = whyCountless(counted);
  return why === null ? repeat(shown, counted) : none(why);
}

function sleep(seconds: number): string {
  return `sleep ${Math.ceil(seconds)}`;
}

/** In one burst where the evidence shows it so; else half a window later, as places must not have come back by then. */
function overAdmission(shown: ShownViolation, { limit, windowMs }: ScopeAllowance): Repetition {
  if (!isRollingBound(shown.report.deployment.document, lastOf(shown).scope))
    return none('needs a whole run: a limit of this kind lets more pass at times');
  const { damage } = shown.evidence;
  const isAtOnce = damage?.kind === 'admitted' && damage.withinMs <= quickMs && damage.most > limit;
  const request = requestOf(shown);
  const first = burst(request, limit + excess);
  const again = [sleep(windowMs / 2_000), burst(request, limit)];
  return commands([request], isAtOnce ? [first] : [first, ...again], {
    kind: 'admitted',
    relation: 'more',
    than: limit,
  });
}

const quickMs = 5_000;

/** In one burst; where a limit may begin anew, only if the limiter turned out to have a lower one. */
function wrongfulRefusal(shown: ShownViolation, { limit, parts: [first] }: ScopeAllowance): Repetition {
  const kind = first?.promise.kind ?? 'rolling';
  const isLower = (identifiedIn(shown)?.limit ?? limit) < limit;
  if (kind !== 'rolling' && kind !== 'at-least' && !isLower)
    return none('needs a whole run: it was shown by what was sent in several windows');
  const request = requestOf(shown);
  return commands([request], [burst(request, limit)], { kind: 'admitted', relation: 'fewer', than: limit });
}

/** What limiter the key and scope of the evidence have. */
function identifiedIn({ evidence, report }: ShownViolation): IdentifiedGroup | undefined {
  const [first] = evidence.exchanges;
  return report.identified.find(({ scope, key }) => scope === first?.scope && key === first.key);
}

/**
 * One request, all others but this one just before its window ends, and a whole limit just after: a window that begins
 * anew admits nearly twice the limit within seconds. It begins on a whole window of the wall clock, where most do.
 */
function earlyReturn(shown: ShownViolation, { limit, windowMs }: ScopeAllowance): Repetition {
  const algorithm = identifiedIn(shown)?.algorithm;
  const isFixed = algorithm === 'fixed-window-wall-clock' || algorithm === 'fixed-window-first-request';
  const windowSeconds = windowMs / 1_000;
  const shortSeconds = Math.min(3, Math.max(2, Math.round(windowSeconds / 20)));
  if (!isFixed || !Number.isInteger(windowSeconds) || windowSeconds <= 2 * shortSeconds)
    return none(placesReturn);
  const request = requestOf(shown);
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
function lateReturn(shown: ShownViolation, { limit, windowMs }: ScopeAllowance): Repetition {
  const request = requestOf(shown);
  const halfSeconds = windowMs / 2_000;
  const lines = [
    burst(request, limit),
    sleep(halfSeconds),
    burst(request, excess),
    sleep(halfSeconds + 1),
    burst(request, limit),
  ];
  return commands([request], lines, { kind: 'admitted', relation: 'fewer', than: 2 * limit - excess });
}

function tooLong(shown: ShownViolation, { limit, windowMs }: ScopeAllowance): Repetition {
  const request = requestOf(shown);
  const { report, evidence } = shown;
  const first = evidence.exchanges[0];
  const measured = report.groups.find(({ scope, key }) => scope === first?.scope && key === first.key);
  const pauseMs = windowMs + 1_000;
  const isClear = (measured?.windowMs?.low ?? 0) - pauseMs > 1_000;
  if (!isClear) return none('is too close to the right length for commands that are started by hand');
  return commands([request], [burst(request, limit), sleep(pauseMs / 1_000), burst(request, limit)], {
    kind: 'admitted',
    relation: 'fewer',
    than: 2 * limit,
  });
}

function tooShort(shown: ShownViolation, { limit, windowMs }: ScopeAllowance): Repetition {
  const request = requestOf(shown);
  const { exchanges } = shown.evidence;
  const spanMs = (exchanges.at(-1)?.receivedMs ?? 0) - (exchanges[0]?.sentMs ?? 0);
  const seconds = Math.ceil(spanMs / 1_000);
  if (seconds + 1 >= windowMs / 1_000)
    return none('is too close to the right length for commands that are started by hand');
  return commands([request], [burst(request, limit), sleep(seconds), burst(request, limit)], {
    kind: 'admitted',
    relation: 'more',
    than: limit,
  });
}

function otherScope(shown: ShownViolation, own: ScopeAllowance): Repetition {
  const { report } = shown;
  const { key, scope } = lastOf(shown);
  const { requests } = report.deployment;
  const other = scopesWithRequest(report.deployment).find(
    (one) => one !== scope && whyCountless(countedIn(report, one)) === null,
  );
  const template = other === undefined ? undefined : requests[other];
  if (other === undefined || template === undefined) return none('needs a request for another scope');
  const { limit } = countedIn(report, other);
  const request = requestOf(shown);
  const others = curlRequest({ method: template.method, path: template.path, key }, report);
  return commands([others, request], [burst(others, limit), burst(request, own.limit)], {
    kind: 'admitted',
    relation: 'fewer',
    than: own.limit + limit,
  });
}

function otherKey(shown: ShownViolation, { limit }: ScopeAllowance): Repetition {
  const { report } = shown;
  const last = lastOf(shown);
  const other = report.keys.find(({ alias }) => alias !== last.key);
  if (other === undefined) return none('needs a second key');
  const request = curlRequest(last, report);
  const others = curlRequest({ ...last, key: other.alias }, report);
  return commands([others, request], [burst(others, limit), once(request)], {
    kind: 'status',
    statuses: refusedBy(report),
    why: 'although it is the first with its key',
  });
}

/** Either paths below /v1/messages are counted apart from it, or keys that the document counts together. */
function countedApart(shown: ShownViolation, counted: ScopeAllowance): Repetition {
  return shown.id === 'limits.shared' ? keysApart(shown, counted) : subpath(shown);
}

function keysApart(shown: ShownViolation, { limit }: ScopeAllowance): Repetition {
  const { report } = shown;
  const last = lastOf(shown);
  if (!isRollingBound(report.deployment.document, last.scope))
    return none('needs a whole run: a limit of this kind lets more pass at times');
  const [first, second] = report.keys.map(({ alias }) => curlRequest({ ...last, key: alias }, report));
  if (first === undefined || second === undefined) return none('needs a second key');
  return commands([first, second], [burst(first, limit), burst(second, limit)], {
    kind: 'admitted',
    relation: 'more',
    than: limit,
  });
}

function subpath(shown: ShownViolation): Repetition {
  const { report } = shown;
  const { key } = lastOf(shown);
  const { messages, messagesSubpath } = report.deployment.requests;
  if (messages === undefined || messagesSubpath === undefined) return none('needs requests for both paths');
  const main = curlRequest({ method: messages.method, path: messages.path, key }, report);
  const below = curlRequest({ method: messagesSubpath.method, path: messagesSubpath.path, key }, report);
  return commands([main, below], [burst(main, limitIn(report.limits, 'messages')), once(below)], {
    kind: 'status',
    statuses: ['2xx', ...below.passed],
    why: 'although the window of /v1/messages is full',
  });
}
