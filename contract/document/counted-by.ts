import type { Scope } from '../scopes.ts';

/** Whose requests are counted together: each key's, or those of all keys of an account, or of whoever comes from one address. */
export const waysOfCounting = ['key', 'account', 'address'] as const;

export type CountedBy = (typeof waysOfCounting)[number];

type Said = { readonly countedBy?: CountedBy | undefined };

type SaidOfScope = Said & { readonly keys?: 'none' | undefined };

/** What a document says of whose requests are counted together: by scope, and where a scope says nothing. */
export type Counting = Said & { readonly scopes: Readonly<Record<Scope, SaidOfScope>> };

/** Whose requests are counted together in a scope: what it says itself, or else its document. */
export function countedByIn({ countedBy = 'key', scopes }: Counting, scope: Scope): CountedBy {
  return scopes[scope]?.countedBy ?? countedBy;
}

/** Whether all keys of a run share the windows of a scope: they are of one account, or come from one address. */
export function areKeysCountedTogether(document: Counting, scope: Scope): boolean {
  return countedByIn(document, scope) !== 'key';
}

/** The scopes of a document by whose requests they count together, in its order. */
export function scopesByCounting(document: Counting): ReadonlyMap<CountedBy, readonly Scope[]> {
  const found = new Map<CountedBy, Scope[]>();
  for (const scope of Object.keys(document.scopes)) {
    const countedBy = countedByIn(document, scope);
    found.set(countedBy, [...(found.get(countedBy) ?? []), scope]);
  }
  return found;
}

/** Whether requests of a scope carry keys, where a run has any; not where the document says so. */
export function carriesKeys({ scopes }: Pick<Counting, 'scopes'>, scope: Scope): boolean {
  return scopes[scope]?.keys !== 'none';
}

/** The scopes of a document in which requests carry no key, in its order. */
export function keylessScopesOf(document: Pick<Counting, 'scopes'>): readonly Scope[] {
  return Object.keys(document.scopes).filter((scope) => !carriesKeys(document, scope));
}

/** The scopes of a document by whose requests they count together, but those in which none carries a key. */
export function keyedByCounting(document: Counting): ReadonlyMap<CountedBy, readonly Scope[]> {
  const keyed = [...scopesByCounting(document)].map(
    ([by, scopes]) => [by, scopes.filter((scope) => carriesKeys(document, scope))] as const,
  );
  return new Map(keyed.filter(([, scopes]) => scopes.length > 0));
}
