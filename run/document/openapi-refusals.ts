import type { Node, OpenApi } from './openapi.ts';

/** An answer that refuses over a limit. */
export type Refusal = { readonly status: number; readonly node: Node; readonly of: string };

export function refusalsOf({ operations, resolved }: OpenApi): readonly Refusal[] {
  return operations.flatMap(({ method, path, node }) =>
    Object.entries(resolved(node['responses'])).flatMap(([status, value]) => {
      if (!/^(429|403|503)$/.test(status)) return [];
      const answer = resolved(value);
      const isMeant = status === '429' || /rate.?limit|throttl|too many/i.test(String(answer['description']));
      const of = `${status} of ${method.toUpperCase()} ${path}`;
      return isMeant ? [{ status: Number(status), node: answer, of }] : [];
    }),
  );
}

/** The answers that are meant: where 429 is described, the others are not. */
export function meantOf(refusals: readonly Refusal[]): readonly Refusal[] {
  const usual = refusals.filter(({ status }) => status === 429);
  return usual.length === 0 ? refusals : usual;
}
