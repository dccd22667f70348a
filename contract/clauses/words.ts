import type { Clause } from '../clause.ts';
import { keyedByCounting } from '../document/counted-by.ts';
import { type Document, isRollingIn, limitedStatusText, partsOf, scopesOf } from '../document/document.ts';
import { inNames, listedIn, type PromisedHeaders, promisedHeaders } from '../document/headers.ts';
import { bearerHeader, keyField, keyPlaceOf } from '../document/key-place.ts';
import { allHeadersOf, wordedHeaders } from '../document/scope-headers.ts';
import { type RateLimitHeader, rateLimitHeaderNames } from '../rate-limit-headers.ts';
import { resetRules } from '../reset-units.ts';
import type { Scope } from '../scopes.ts';
import { type ClauseId, clauses, findClause } from './registry.ts';

/** Clauses about one scope of the messaging document: each document has such of its own scopes. */
export const ofOneScope: ReadonlySet<string> = new Set([
  'limits.standard',
  'limits.messages',
  'limits.media',
]);

/** Clauses whose words hold no figures of a document. */
const ofNoScope: ReadonlySet<string> = new Set(
  clauses.filter(({ id }) => !ofOneScope.has(id)).map(({ id }) => id),
);

/** A clause about the usual headers in the words of a document that has others. */
export function inNamesOf<Worded extends Clause>(clause: Worded, document: Document): Worded {
  const promised = wordedHeaders(document);
  if (!clause.id.startsWith('headers.') || promised.names === rateLimitHeaderNames) return clause;
  const { unit } = promised;
  const { words } = resetRules[unit];
  const listed = allHeadersOf(document).every((said) => listedIn(said).includes('limit'));
  const requirement =
    clause.id === 'headers.present' ? carriedByAll(document) : inNames(clause.requirement, promised);
  return {
    ...clause,
    title: clause.title.replace('three headers', 'the headers').replace('Unix time in seconds', words),
    requirement: requirement.replace('a Unix time in seconds', words),
    judged: inNames(clause.judged, promised),
    violation:
      clause.id === 'headers.reset'
        ? `No ${words}, a moment past or further away than a window.`
        : inNames(listed ? clause.violation.replace('a list, ', '') : clause.violation, promised),
  };
}

const answers = { all: 'response', admitted: 'admitted response', limited: '429' } as const;

/** Which answers carry which headers, in each scope. */
function carriedByAll(document: Document): string {
  const said = allHeadersOf(document);
  const texts = said.map((one) =>
    carriedText(promisedHeaders(one), said.length === 1 ? '' : ` at ${one.of.join(', ')}`),
  );
  return texts.filter((text) => text !== null).join(' ');
}

/** Which answers carry which headers; `null` where none are promised. */
function carriedText({ names, on }: PromisedHeaders, at: string): string | null {
  const named = (Object.keys(names) as readonly RateLimitHeader[]).filter((header) => names[header] !== null);
  const parts = [...new Set(named.map((header) => on[header]))].map((those, nth) => {
    const told = named.filter((header) => on[header] === those).map((header) => names[header]);
    const whose = nth === 0 ? ` to a request with a valid key${at}` : '';
    return `very ${answers[those]}${whose} carries ${told.join(', ')}`;
  });
  return parts.length === 0 ? null : `E${parts.join(', and e')}.`;
}

/** The words of the clause about keys, where they are in another header or of another scheme. */
export function inKeysOf(document: Document, { id, requirement }: Clause): Partial<Omit<Clause, 'id'>> {
  const place = keyPlaceOf(document);
  if (id !== 'auth.bearer' || place === bearerHeader) return {};
  return {
    title: 'a key, and only a valid one',
    requirement: requirement.replace(keyField(bearerHeader, ''), keyField(place, '')),
  };
}

/** The words of a clause about keys, or about whose requests are counted together, in a document whose scopes differ in that. */
export function atScopesOf(
  document: Document,
  { id, title, requirement }: Clause,
): Partial<Omit<Clause, 'id'>> {
  const { key = [], account = [], address = [] } = Object.fromEntries(keyedByCounting(document));
  const about: Readonly<Record<string, readonly Scope[]>> = {
    'limits.per-key': key,
    'limits.shared': [...account, ...address],
    'auth.bearer': [...key, ...account, ...address],
  };
  const named = about[id] ?? scopesOf(document);
  if (named.length === scopesOf(document).length) return {};
  const at = scopesOf(document)
    .filter((scope) => named.includes(scope))
    .join(', ');
  return {
    title: `${title}: ${at}`,
    requirement: `At ${at}, ${requirement.charAt(0).toLowerCase()}${requirement.slice(1)}`,
  };
}

/** A length as sentences have it: "a minute", "one minute", "minute"; else in seconds. */
export function lengthWords(seconds: number) {
  if (seconds === 60) return { perWindow: 'a minute', one: 'one minute', window: 'minute' };
  if (seconds === 3_600) return { perWindow: 'an hour', one: 'one hour', window: 'hour' };
  return { perWindow: `in ${seconds} s`, one: `${seconds} s`, window: `window of ${seconds} s` };
}

/** The words of a clause that name the status over the limit. */
export function inStatusOf(
  document: Document,
  { id, title, requirement, judged, violation }: Clause,
): Partial<Omit<Clause, 'id'>> {
  if (document.refusal === undefined) return {};
  const status = limitedStatusText(document);
  // Elsewhere the number may be that of requests.
  const was = ofNoScope.has(id) ? /\b429/g : /(?<=\ba |Wrongful )429\b/g;
  const told = (text: string): string => text.replaceAll(was, status);
  const words = { title: told(title), requirement: told(requirement) };
  if (id !== 'error.status') return { ...words, judged: told(judged), violation: told(violation) };
  const body = document.refusal.body === undefined ? 'says rate_limit_exceeded' : 'is that of a refusal';
  return {
    ...words,
    judged: `Answers with another status whose body ${body}; other refusals over the limit are inconclusive.`,
    violation: `Another status with a body that ${body}.`,
  };
}

/** The lengths of the rolling windows of a document, s, each once. */
function rollingSecondsOf(document: Document): readonly number[] {
  const rolling = scopesOf(document).filter((scope) => isRollingIn(document, scope));
  return [...new Set(rolling.map((scope) => partsOf(document, scope)[0].seconds))];
}

/** Where scopes have windows of different lengths, no sentence names one. */
function ofSeveralLengths(id: ClauseId): Partial<Omit<Clause, 'id'>> {
  switch (id) {
    case 'window.length':
      return {
        title: 'each window is as long as its scope’s',
        requirement: 'The rolling window of each scope is as long as the document says.',
        judged: (findClause(id)?.judged ?? '').replace('60 s', 'its length'),
      };
    case 'window.granularity':
      return {
        title: 'no slot is held beyond its window',
        requirement: 'A request leaves the window once it is as old as that, not up to a second later.',
      };
    default:
      return {};
  }
}

/** The words of a clause that name the length of the window. */
export function inLengthsOf(document: Document, id: ClauseId): Partial<Omit<Clause, 'id'>> {
  const [windowSeconds, another] = rollingSecondsOf(document);
  if (another !== undefined) return ofSeveralLengths(id);
  if (windowSeconds === undefined || windowSeconds === 60) return {};
  const { one } = lengthWords(windowSeconds);
  const seconds = `${windowSeconds} seconds`;
  switch (id) {
    case 'window.length':
      return {
        title: `the window is ${one}`,
        requirement: `The rolling window is ${seconds} long.`,
        judged: (findClause(id)?.judged ?? '').replace('60 s', `${windowSeconds} s`),
      };
    case 'window.granularity':
      return {
        title: 'no slot is held beyond its window',
        requirement: `A request leaves the window after ${seconds}, not up to a second later.`,
      };
    default:
      return {};
  }
}
