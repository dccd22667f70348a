import { z } from 'zod';
import { costMax } from '../exchange.ts';
import { greatestOf } from '../extremes.ts';
import { requestTemplateSchema } from '../request-template.ts';

/** Of how many units of its limit a request takes the place. */
export const costSchema = z.int().min(1).max(costMax);

/** A request that is counted in the window of a scope beside the one that stands for it. */
export const otherRequestSchema = z.strictObject({
  request: requestTemplateSchema,
  /** Left out: as much as the other requests of its scope. */
  cost: costSchema.optional(),
});

/** What a scope says of costs. */
type Costing = {
  readonly cost?: number | undefined;
  readonly others?: readonly z.infer<typeof otherRequestSchema>[] | undefined;
};

/** Another request of a scope, with its cost. */
export type OtherRequest = Pick<z.infer<typeof otherRequestSchema>, 'request'> & { readonly cost: number };

/** What each request of a scope costs that is none of its other ones. */
export function usualCostOf({ cost = 1 }: Costing): number {
  return cost;
}

/** The other requests of a scope, with their costs. */
export function othersOf(scope: Costing): readonly OtherRequest[] {
  return (scope.others ?? []).map(({ request, cost = usualCostOf(scope) }) => ({ request, cost }));
}

/** What the dearest request of a scope costs. */
export function dearestOf(scope: Costing): number {
  return greatestOf(costsIn(scope));
}

/** Whether a scope has requests that cost more than 1, or several requests. */
export function isCosting({ cost, others }: Costing): boolean {
  return others !== undefined || (cost ?? 1) > 1;
}

/** What the requests of a scope cost, each figure once, in the order of the document. */
export function costsIn(scope: Costing): ReadonlySet<number> {
  return new Set([usualCostOf(scope), ...othersOf(scope).map(({ cost }) => cost)]);
}

/** What a request costs as a trace has it: absent where it is 1. */
export function costOf({ cost = 1 }: { readonly cost?: number | undefined }): number {
  return cost;
}

/** What several requests cost together. */
export function costOfAll(all: readonly { readonly cost?: number | undefined }[]): number {
  return all.reduce((sum, one) => sum + costOf(one), 0);
}

/** What requests cost, in a sentence, or where each costs 1 which ones there are; `null` where one stands for all. */
export function costsText(scope: Costing): string | null {
  if (!isCosting(scope)) return null;
  const all = othersOf(scope);
  if (dearestOf(scope) === 1) {
    const named = all.map(({ request }) => `${request.method} ${request.path}`);
    return `${named.join(', ')} ${named.length === 1 ? 'is' : 'are'} counted with them.`;
  }
  const others = all.map(({ request, cost }) => `${request.method} ${request.path} ${cost}`);
  const usual = others.length === 0 ? 'Each request costs' : 'A request costs';
  return `${[`${usual} ${usualCostOf(scope)}`, ...others].join(', ')} of that.`;
}
