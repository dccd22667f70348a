/** What a server of the gallery is set to keep, for each key. */
export type Rule = { readonly limit: number; readonly windowMs: number };

/** A limit and a window in seconds. */
export function ruleOf(limit: number, seconds: number): Rule {
  return { limit, windowMs: seconds * 1_000 };
}
