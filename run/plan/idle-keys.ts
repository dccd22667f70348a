import { settledAfterMs } from '../../contract/bounds.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { areKeysCountedTogether } from '../../contract/document/counted-by.ts';
import { partsOf } from '../../contract/document/document.ts';
import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import type { Scope } from '../../contract/scopes.ts';

/** Keeps account of when windows will be empty again, so that scenarios on one key do not disturb each other. */
export type IdleKeys = {
  /** A key's windows are in use until a moment, ms. */
  readonly used: (alias: string, scopes: readonly Scope[], untilMs: number) => void;
  /** From when on all these windows are empty, ms; 0 where nothing of ours is in them. */
  readonly fromMs: (aliases: readonly string[], scopes: readonly Scope[]) => number;
};

/** The windows of a deployment: those of each key, or one for all keys in the scopes that count them together. */
export function idleKeys(deployment: Pick<Deployment, 'document' | 'windowSeconds'>): IdleKeys {
  const nameOf = (alias: string, scope: Scope): string =>
    areKeysCountedTogether(deployment.document, scope) ? scope : `${alias} ${scope}`;
  const emptyMs = new Map<string, number>();
  return {
    used: (alias, scopes, untilMs) => {
      for (const scope of scopes)
        emptyMs.set(nameOf(alias, scope), untilMs + settledAfterMs(longestMsOf(deployment, scope)));
    },
    fromMs: (aliases, scopes) =>
      Math.max(
        0,
        ...aliases.flatMap((alias) => scopes.map((scope) => emptyMs.get(nameOf(alias, scope)) ?? 0)),
      ),
  };
}

/** The longest window of a scope, ms, as long as the deployment has it; those that no run waits for are left out. */
function longestMsOf(
  { document, windowSeconds }: Pick<Deployment, 'document' | 'windowSeconds'>,
  scope: Scope,
): number {
  const [first, ...further] = partsOf(document, scope);
  const waitedFor = further.filter(({ seconds }) => seconds * 1_000 <= probedWindowMsMax);
  const longest = Math.max(...[first, ...waitedFor].map(({ wholeSeconds }) => wholeSeconds));
  return (1_000 * windowSeconds * longest) / document.windowSeconds;
}
