import { withheld } from './secret/withheld.ts';

/** The first value of a parameter in the query of a request target; `null` where it has none of that name. */
export function parameterIn(target: string, name: string): string | null {
  const from = target.indexOf('?');
  return from === -1 ? null : new URLSearchParams(target.slice(from + 1)).get(name);
}

/** A request target without what a parameter of its query holds, however its name is spelt. */
export function withoutParameter(target: string, name: string): string {
  return target.replace(/([?&])([^=&#]+)=[^&#]*/g, (whole, sign: string, spelt: string) =>
    new URLSearchParams(spelt).has(name) ? `${sign}${spelt}=${withheld}` : whole,
  );
}
