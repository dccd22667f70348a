import type { Clause } from '../clause.ts';
import { costsText } from '../document/cost.ts';
import { countedByIn, keyedByCounting } from '../document/counted-by.ts';
import { type Document, isRollingIn, partsOf, partText, scopesOf } from '../document/document.ts';
import { whyNoLoad } from '../document/load-scopes.ts';
import { allHeadersOf } from '../document/scope-headers.ts';
import { withSentence } from '../document/sentence.ts';
import { innerOf, outerOf } from '../document/within.ts';
import { didYouMean } from '../nearest.ts';
import { ietfClauses } from './ietf.ts';
import { ofOtherLimits } from './kind-words.ts';
import { limitClause } from './limits.ts';
import { burstClause } from './load.ts';
import { limitIdOf, promisedLimitClause } from './promised-limit.ts';
import { refusalClausesOf } from './refusal.ts';
import { clauses, findClause, type RegisteredClause } from './registry.ts';
import { isSaid } from './said.ts';
import { sharedClause } from './shared.ts';
import {
  atScopesOf,
  inKeysOf,
  inLengthsOf,
  inNamesOf,
  inStatusOf,
  lengthWords,
  ofOneScope,
} from './words.ts';

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
  const otherWays = [...keyedByCounting(document).keys()].filter((countedBy) => countedBy !== 'key');
  const shared = otherWays.length === 0 ? [] : [sharedClause(otherWays.join(' or '))];
  const others = clauses.filter(({ id }) => !ofOneScope.has(id) && isSaid(document, id));
  const ids = limits.map(({ id }) => id);
  const bursts = whyNoLoad(document, burstClause.id) === null ? [burstClause] : [];
  const at = others.findIndex(({ id }) => id.startsWith('load.'));
  const own = [...limits, ...shared, ...others.toSpliced(at, 0, ...bursts)];
  const isIetf = allHeadersOf(document).some(({ headers }) => headers === 'ietf');
  const beyond = [...(isIetf ? ietfClauses : []), ...refusalClausesOf(document, ids)];
  const all = new Set<string>([...own, ...beyond].map(({ id }) => id));
  const worded = own.map((clause) => {
    const said = { ...clause, ...ofOtherLimits(document, clause.id) };
    const ofAll = { ...said, ...inStatusOf(document, said), ...inKeysOf(document, said) };
    return { ...ofAll, ...atScopesOf(document, ofAll) };
  });
  return [...worded, ...beyond].map((clause) =>
    withSentence(
      {
        ...inNamesOf(clause, document),
        ...inLengthsOf(document, clause.id),
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
  const countedBy = countedByIn(document, scope);
  const who = countedBy === 'key' ? 'a key' : `one ${countedBy}`;
  if (!isRollingIn(document, scope)) {
    const parts = partsOf(document, scope);
    return parts.map((part) => {
      const { promise, name } = part;
      const dependsOn = name === null ? apart : [...apart, limitIdOf(scope, null)];
      const isOneOfSeveral = parts.length > 1 || named.within !== undefined;
      return promisedLimitClause({
        ...{ scope, title, promise, name, isOneOfSeveral, who, dependsOn },
        costs: costsText(named),
        shared: sharedText(document, scope),
        said: partText(part),
      });
    });
  }
  const { perWindow, window } = lengthWords(seconds);
  // What is said of a scope of this name beyond its limit is said of it in the messaging document.
  const dependsOn = findClause(`limits.${scope}`)?.dependsOn ?? apart;
  const said = { scope, title, limit, perWindow, window, dependsOn };
  return [limitClause(countedBy === 'key' ? said : { ...said, who: `One ${countedBy}` })];
}

/** Whose requests are counted with those of a scope; `null` where nobody's are. */
function sharedText(document: Document, scope: string): string | null {
  const outer = outerOf(document, scope);
  if (outer !== null) return `Each of them takes a place of ${limitIdOf(outer, null)} too.`;
  const inner = innerOf(document, scope);
  return inner.length === 0 ? null : `Those of ${inner.join(', ')} take places of it too.`;
}

/** Who depends on the limit of one scope depends on that of each. */
function dependenciesOf({ dependsOn }: Clause, ids: readonly string[]): readonly string[] {
  const first = dependsOn.findIndex((id) => ofOneScope.has(id));
  if (first === -1) return dependsOn;
  const others = dependsOn.slice(first).filter((id) => !ofOneScope.has(id));
  return [...dependsOn.slice(0, first), ...ids, ...others];
}
