import { settledAfterMs } from '../../contract/bounds.ts';
import type { Scope } from '../../contract/scopes.ts';

/** Keeps account of when windows will be empty again, so that scenarios on one key do not disturb each other. */
export type IdleKeys = {
  /** A key's windows are in use until a moment, ms. */
  readonly used: (alias: string, scopes: readonly Scope[], untilMs: number) => void;
  /** From when on all these windows are empty, ms; 0 where nothing of ours is in them. */
  readonly fromMs: (aliases: readonly string[], scopes: readonly Scope[]) => number;
};

export function idleKeys(windowMs: number): IdleKeys {
  const emptyMs = new Map<string, number>();
  return {
    used: (alias, scopes, untilMs) => {
      for (const scope of scopes) emptyMs.set(`${alias} ${scope}`, untilMs + settledAfterMs(windowMs));
    },
    fromMs: (aliases, scopes) =>
      Math.max(
        0,
        ...aliases.flatMap((alias) => scopes.map((scope) => emptyMs.get(`${alias} ${scope}`) ?? 0)),
      ),
  };
}
