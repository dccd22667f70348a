import { didYouMean } from '../nearest.ts';
import type { Scope } from '../scopes.ts';

/** What stands at the end of the purposes of requests that fill a limit together with those of the scopes within. */
export const innerMark = '+inner';

/** What a scope says of whose limits its requests take places of too. */
type Placed = { readonly within?: Scope | undefined };

type Scopes = Readonly<Record<Scope, Placed>>;

/** The scope in whose limits the requests of another one take places besides their own; `null` where there is none. */
export function outerOf({ scopes }: { readonly scopes: Scopes }, scope: Scope): Scope | null {
  return scopes[scope]?.within ?? null;
}

/** The scopes whose requests take places of the limits of another one too, in the document's order. */
export function innerOf({ scopes }: { readonly scopes: Scopes }, scope: Scope): readonly Scope[] {
  return Object.keys(scopes).filter((name) => scopes[name]?.within === scope);
}

/** Whether a scope shares a limit with another one. */
export function sharesLimits(document: { readonly scopes: Scopes }, scope: Scope): boolean {
  return outerOf(document, scope) !== null || innerOf(document, scope).length > 0;
}

/** The scopes any of whose requests take places of a limit that a scope has to keep to, itself among them. */
export function countedWith(document: { readonly scopes: Scopes }, scope: Scope): readonly Scope[] {
  const outer = outerOf(document, scope) ?? scope;
  return [outer, ...innerOf(document, outer)];
}

/** The scopes that share no limit with each other: all but those that lie within another one. */
export function outermostOf({ scopes }: { readonly scopes: Scopes }): readonly Scope[] {
  return Object.keys(scopes).filter((name) => scopes[name]?.within === undefined);
}

/** Scopes that cannot lie where they are said to. */
export function misplaced(scopes: Scopes): readonly { readonly scope: Scope; readonly message: string }[] {
  return Object.entries(scopes).flatMap(([scope, { within }]) => {
    if (within === undefined) return [];
    const message = whyNot(scopes, scope, within);
    return message === null ? [] : [{ scope, message }];
  });
}

function whyNot(scopes: Scopes, scope: Scope, within: Scope): string | null {
  const outer = Object.hasOwn(scopes, within) ? scopes[within] : undefined;
  if (outer === undefined) return `is no scope of this document${didYouMean(within, Object.keys(scopes))}`;
  if (within === scope)
    return 'is the scope itself: name the one whose limits its requests count against too';
  return outer.within === undefined
    ? null
    : `lies within ${outer.within} itself: a scope that others lie within lies within none`;
}
