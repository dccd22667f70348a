import type { Scope } from '../scopes.ts';
import { dearestOf } from './cost.ts';
import { areKeysCountedTogether, scopesByCounting } from './counted-by.ts';
import { type Document, isRollingIn, partsOf, scopesOf } from './document.ts';
import type { PromiseKind } from './promise.ts';
import { outerOf } from './within.ts';

/** What a scope has to promise for load to show anything of it, and what is said where no scope does. */
const asked = {
  /** Any limit says how many of a burst are admitted, or have to be. */
  anything: { has: () => true, why: '' },
  rolling: {
    has: (document, scope) => isRollingIn(document, scope),
    why: 'no limit of it is a single rolling window by key, in which capacity comes back request by request',
  },
  bound: { has: without('at-least'), why: 'none of its limits bounds how many pass' },
  guarantee: { has: without('at-most'), why: 'it promises nobody that a request passes' },
} as const satisfies Readonly<Record<string, Asked>>;

type Asked = { readonly has: (document: Document, scope: Scope) => boolean; readonly why: string };

/** No limit of the scope is of this kind: one alone takes away what the others promise. */
function without(kind: PromiseKind): Asked['has'] {
  return (document, scope) => partsOf(document, scope).every(({ promise }) => promise.kind !== kind);
}

type About = {
  readonly asks: keyof typeof asked;
  /** Scopes that it is about; left out: all that promise what it asks for. */
  readonly named?: (document: Document) => readonly Scope[];
  /** What is said where it is about none. */
  readonly whyNone?: string;
  readonly needs?: 'keys-apart' | 'several-scopes';
};

/** Bursts that bear the name of a scope, and a path of that scope: another API may call something else so. */
const namedBursts: Readonly<Record<string, { readonly scope: Scope; readonly path: string }>> = {
  'load.messages-burst': { scope: 'messages', path: '/v1/messages' },
  'load.media-burst': { scope: 'media', path: '/v1/media' },
};

function namedIn(document: Document, id: string): readonly Scope[] {
  const burst = namedBursts[id];
  if (burst === undefined || !isRollingIn(document, burst.scope)) return [];
  return document.scopes[burst.scope]?.paths?.includes(burst.path) === true ? [burst.scope] : [];
}

/** The scopes that waves are sent to: those with a burst of their own, or all where none has. */
function ofWaves(document: Document): readonly Scope[] {
  const own = Object.keys(namedBursts).flatMap((id) => namedIn(document, id));
  return own.length > 0 ? own : scopesOf(document);
}

const about: Readonly<Record<string, About>> = {
  ...Object.fromEntries(
    Object.keys(namedBursts).map((id) => [
      id,
      { asks: 'rolling', named: (document: Document) => namedIn(document, id) } as const,
    ]),
  ),
  'load.burst': {
    asks: 'anything',
    named: (document) =>
      Object.keys(namedBursts).some((id) => namedIn(document, id).length > 0) ? [] : scopesOf(document),
    whyNone: 'it has bursts that bear the names of its scopes',
  },
  'load.rolling-window': { asks: 'rolling', named: ofWaves },
  'load.over-pressure': { asks: 'anything' },
  'load.sustained': { asks: 'guarantee' },
  'load.noisy-neighbour': { asks: 'guarantee', needs: 'keys-apart' },
  'load.mixed-scopes': { asks: 'guarantee', needs: 'several-scopes' },
  'load.many-keys': { asks: 'guarantee', needs: 'keys-apart' },
  'load.nodes': { asks: 'bound' },
  'load.latency': { asks: 'anything' },
  'load.neighbour-latency': { asks: 'guarantee', needs: 'keys-apart' },
  'load.keys-cost': { asks: 'guarantee', needs: 'keys-apart' },
};

/** The scopes of a document of which the scenario of a load clause can show anything; none: the document has no such clause. */
export function loadScopesOf(document: Document, id: string): readonly Scope[] {
  const one = about[id];
  // What is no clause, one request that only looks, may go anywhere.
  if (one === undefined) return scopesOf(document);
  return whyNoLoad(document, id) === null ? candidatesOf(document, one) : [];
}

/** Why the scenario of a load clause shows nothing of a document; `null` where it does. */
export function whyNoLoad(document: Document, id: string): string | null {
  const one = about[id];
  if (one === undefined) return null;
  const ways = scopesByCounting(document);
  if (one.needs === 'keys-apart' && !ways.has('key'))
    return `it counts by ${[...ways.keys()].join(' or ')}, so the keys of a run share their windows`;
  const named = one.named?.(document) ?? scopesOf(document);
  if (named.length === 0)
    return one.whyNone ?? `it has no such limit (scopes: ${scopesOf(document).join(', ')})`;
  if (named.every((scope) => isCostingIn(document, scope)))
    return 'some of its requests cost more than 1, which no scenario counts yet';
  const found = candidatesOf(document, one);
  if (found.length === 0) return asked[one.asks].why;
  return one.needs === 'several-scopes' && found.length < 2 ? 'it has one such scope alone' : null;
}

function candidatesOf(document: Document, { asks, named, needs }: About): readonly Scope[] {
  return (named?.(document) ?? scopesOf(document)).filter(
    (scope) =>
      asked[asks].has(document, scope) &&
      !isCostingIn(document, scope) &&
      !(needs === 'keys-apart' && areKeysCountedTogether(document, scope)) &&
      // What lies within another scope would take places of that one meanwhile.
      outerOf(document, scope) === null,
  );
}

/** Scenarios plan in requests each of which takes one place. */
function isCostingIn({ scopes }: Document, scope: Scope): boolean {
  return dearestOf(scopes[scope] ?? {}) > 1;
}
