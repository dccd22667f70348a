import type { Clause } from '../clause.ts';
import { costsText } from '../document/cost.ts';
import {
  areKeysCountedTogether,
  type Document,
  isRollingIn,
  limitedStatusText,
  partsOf,
  partText,
  perSecondOf,
  scopesOf,
} from '../document/document.ts';
import { inNames, type PromisedHeaders, promisedHeaders, styleOf } from '../document/headers.ts';
import { whyNoLoad } from '../document/load-scopes.ts';
import { withSentence } from '../document/sentence.ts';
import { didYouMean } from '../nearest.ts';
import { rateLimitHeaderNames } from '../rate-limit-headers.ts';
import { resetRules } from '../reset-units.ts';
import { ietfClauses } from './ietf.ts';
import { limitClause } from './limits.ts';
import { burstClause } from './load.ts';
import { ofOtherLimits } from './load-words.ts';
import { limitIdOf, promisedLimitClause } from './promised-limit.ts';
import { refusalClausesOf } from './refusal.ts';
import { type ClauseId, clauses, findClause, type RegisteredClause } from './registry.ts';
import { sharedClause } from './shared.ts';

/** Clauses about one scope of the messaging document: each document has such of its own scopes. */
const ofOneScope: ReadonlySet<string> = new Set(['limits.standard', 'limits.messages', 'limits.media']);

/** Clauses whose words hold no figures of a document. */
const ofNoScope: ReadonlySet<string> = new Set(
  clauses.filter(({ id }) => !ofOneScope.has(id)).map(({ id }) => id),
);

/** Every clause of a document, in the order of reports. Those of the messaging document are `clauses`. */
export function clausesOf(document: Document): readonly RegisteredClause[] {
  const known = made.get(document);
  if (known !== undefined) return known;
  const found = clausesMade(document);
  made.set(document, found);
  return found;
}

const made = new WeakMap<Document, readonly RegisteredClause[]>();

function clausesMade(document: Document): readonly RegisteredClause[] {
  const limits = scopesOf(document).flatMap((scope) => ofScope(document, scope));
  const { countedBy = 'key' } = document;
  const shared = countedBy === 'key' ? [] : [sharedClause(countedBy)];
  const others = clauses.filter(({ id }) => !ofOneScope.has(id) && isSaid(document, id));
  const ids = limits.map(({ id }) => id);
  const bursts = whyNoLoad(document, burstClause.id) === null ? [burstClause] : [];
  const at = others.findIndex(({ id }) => id.startsWith('load.'));
  const own = [...limits, ...shared, ...others.toSpliced(at, 0, ...bursts)];
  const beyond = [...(styleOf(document) === 'ietf' ? ietfClauses : []), ...refusalClausesOf(document, ids)];
  const all = new Set<string>([...own, ...beyond].map(({ id }) => id));
  const worded = own.map((clause) => {
    const said = { ...clause, ...ofOtherLimits(document, clause.id) };
    return { ...said, ...refused(document, said) };
  });
  return [...worded, ...beyond].map((clause) =>
    withSentence(
      {
        ...named(clause, document),
        ...timed(document, clause.id),
        dependsOn: dependenciesOf(clause, ids).filter((id) => all.has(id)),
      },
      document.sentences?.[clause.id] ?? {},
    ),
  );
}

/** What is wrong with the sentences of a document: clauses that it does not have, or that nothing decides. */
export function flawsOfSentences(
  document: Document,
): readonly { readonly path: readonly string[]; readonly message: string }[] {
  const { sentences = {}, ...unsaid } = document;
  return Object.entries(sentences).flatMap(([id, { level }]) => {
    const clause = clauseIn(unsaid, id);
    if (clause === undefined) {
      const ids = clausesOf(unsaid).map((one) => one.id);
      return [{ path: ['sentences', id], message: `is no clause of this document${didYouMean(id, ids)}` }];
    }
    return clause.level === 'observe' && (level === 'must' || level === 'should')
      ? [{ path: ['sentences', id, 'level'], message: 'is only observed: nothing decides it' }]
      : [];
  });
}

/** The clause of an id in a document; `undefined` where it has none. */
export function clauseIn(document: Document, id: string): RegisteredClause | undefined {
  return clausesOf(document).find((clause) => clause.id === id);
}

function ofScope(document: Document, scope: string): readonly RegisteredClause[] {
  const named = document.scopes[scope] as Document['scopes'][string];
  const { title, limit } = named;
  const seconds = named.windowSeconds ?? document.windowSeconds;
  const apart = ['limits.per-scope', 'limits.per-key', 'limits.shared'];
  const { countedBy = 'key' } = document;
  const who = countedBy === 'key' ? 'a key' : `one ${countedBy}`;
  if (!isRollingIn(document, scope)) {
    const parts = partsOf(document, scope);
    return parts.map((part) => {
      const { promise, name } = part;
      const dependsOn = name === null ? apart : [...apart, limitIdOf(scope, null)];
      const isOneOfSeveral = parts.length > 1;
      return promisedLimitClause({
        ...{ scope, title, promise, name, isOneOfSeveral, who, dependsOn },
        costs: costsText(named),
        said: partText(part),
      });
    });
  }
  const { perWindow, window } = wordsOf(seconds);
  // What is said of a scope of this name beyond its limit is said of it in the messaging document.
  const dependsOn = findClause(`limits.${scope}`)?.dependsOn ?? apart;
  const said = { scope, title, limit, perWindow, window, dependsOn };
  return [limitClause(countedBy === 'key' ? said : { ...said, who: `One ${countedBy}` })];
}

/** Who depends on the limit of one scope depends on that of each. */
function dependenciesOf({ dependsOn }: Clause, ids: readonly string[]): readonly string[] {
  const first = dependsOn.findIndex((id) => ofOneScope.has(id));
  if (first === -1) return dependsOn;
  const others = dependsOn.slice(first).filter((id) => !ofOneScope.has(id));
  return [...dependsOn.slice(0, first), ...ids, ...others];
}

/** Whether a document says anything that a clause is about. */
function isSaid(document: Document, id: ClauseId): boolean {
  switch (id) {
    case 'limits.messages-subpaths':
      return isAt(document, 'messages', '/v1/messages');
    case 'limits.per-key':
      return (
        !areKeysCountedTogether(document) && scopesOf(document).some((scope) => isBounded(document, scope))
      );
    case 'limits.per-scope':
      return scopesOf(document).length > 1 && scopesOf(document).every((scope) => isBounded(document, scope));
    case 'version.prefix':
      return Object.values(document.scopes).some(({ paths = [] }) =>
        paths.some((path) => path.startsWith('/v1/')),
      );
    case 'window.rolling':
    case 'window.length':
    case 'window.granularity':
    case 'limits.rejections-count':
      return scopesOf(document).some((scope) => isRollingIn(document, scope));
    case 'limits.per-second':
      return scopesOf(document).some((scope) => perSecondOf(document, scope) !== null);
    case 'error.status':
      return true;
    default:
      if (id.startsWith('load.')) return whyNoLoad(document, id) === null;
      return isSaidOfAnswers(document, id);
  }
}

/** Whether a limit is an upper bound: what exceeds one that is not shows nothing. */
function isBounded(document: Document, scope: string): boolean {
  return partsOf(document, scope).some(({ promise }) => promise.kind !== 'at-least');
}

/** Whether a rolling limit of this name has this path: another API may call something else so. */
function isAt(document: Document, scope: string, path: string): boolean {
  return isRollingIn(document, scope) && (document.scopes[scope]?.paths?.includes(path) ?? false);
}

/** Whether a document says anything of the part of answers that a clause is about. */
function isSaidOfAnswers({ headers, errors, keys }: Document, id: ClauseId): boolean {
  if (id === 'auth.bearer') return keys !== 'none';
  if (id.startsWith('headers.')) return isSaidOfHeaders(promisedHeaders({ headers }), id);
  return !id.startsWith('error.') || errors !== 'none';
}

/** Whether a document promises the header that a clause is about, on the answers that the clause is about. */
function isSaidOfHeaders({ names, on }: PromisedHeaders, id: ClauseId): boolean {
  switch (id) {
    case 'headers.limit':
      return names.limit !== null;
    case 'headers.remaining':
      return names.remaining !== null && on !== 'limited';
    case 'headers.remaining-on-429':
      return names.remaining !== null && on !== 'admitted';
    case 'headers.reset':
    case 'headers.reset-meaning':
      return names.reset !== null;
    default:
      return Object.values(names).some((name) => name !== null);
  }
}

/** A clause about the usual headers in the words of a document that has others. */
function named<Worded extends Clause>(clause: Worded, { headers }: Document): Worded {
  const promised = promisedHeaders({ headers });
  if (!clause.id.startsWith('headers.') || promised.names === rateLimitHeaderNames) return clause;
  const { names, on, unit } = promised;
  const told = Object.values(names).filter((name) => name !== null);
  const answers = { all: 'response', admitted: 'admitted response', limited: '429' }[on];
  const { words } = resetRules[unit];
  const requirement =
    clause.id === 'headers.present'
      ? `Every ${answers} to a request with a valid key carries ${told.join(', ')}.`
      : inNames(clause.requirement, promised);
  return {
    ...clause,
    title: clause.title.replace('three headers', 'the headers').replace('Unix time in seconds', words),
    requirement: requirement.replace('a Unix time in seconds', words),
    judged: inNames(clause.judged, promised),
    violation:
      clause.id === 'headers.reset'
        ? `No ${words}, a moment past or further away than a window.`
        : inNames(clause.violation, promised),
  };
}

/** A length as sentences have it: "a minute", "one minute", "minute"; else in seconds. */
function wordsOf(seconds: number) {
  if (seconds === 60) return { perWindow: 'a minute', one: 'one minute', window: 'minute' };
  if (seconds === 3_600) return { perWindow: 'an hour', one: 'one hour', window: 'hour' };
  return { perWindow: `in ${seconds} s`, one: `${seconds} s`, window: `window of ${seconds} s` };
}

/** The words of a clause that name the status over the limit. */
function refused(
  document: Document,
  { id, title, requirement, judged, violation }: Clause,
): Partial<Omit<Clause, 'id'>> {
  if (document.refusal === undefined) return {};
  const status = limitedStatusText(document);
  // Elsewhere the number may be that of requests.
  const was = ofNoScope.has(id) ? /\b429/g : /(?<=\ba |Wrongful )429\b/g;
  const named = (text: string): string => text.replaceAll(was, status);
  const words = { title: named(title), requirement: named(requirement) };
  if (id !== 'error.status') return { ...words, judged: named(judged), violation: named(violation) };
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
function timed(document: Document, id: ClauseId): Partial<Omit<Clause, 'id'>> {
  const [windowSeconds, another] = rollingSecondsOf(document);
  if (another !== undefined) return ofSeveralLengths(id);
  if (windowSeconds === undefined || windowSeconds === 60) return {};
  const { one } = wordsOf(windowSeconds);
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
