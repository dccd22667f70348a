import { listOf, nodeOf, type OpenApi, type Operation } from './openapi.ts';
import { type Figure, figuresInText } from './openapi-figures.ts';

/** A quota of Google’s Cloud Endpoints and API Gateway, and the operations of which each request takes one of it. */
export type Quota = { readonly figure: Figure; readonly operations: readonly Operation[] };

/**
 * The quotas in `x-google-management` of a file. An operation names in `x-google-quota` what a request of it takes; where it takes
 * more than one, or none, it is left out.
 */
export function quotasOf({ root, operations }: OpenApi): readonly Quota[] {
  const limits = listOf(nodeOf(nodeOf(root['x-google-management'])['quota'])['limits']);
  return limits.map(nodeOf).flatMap(({ metric, unit, values }): readonly Quota[] => {
    const name = String(metric ?? '');
    const [, word] = /^1\/([a-z]+)\/\{/.exec(String(unit ?? '')) ?? [];
    const from = `the quota of ${name} in x-google-management`;
    const [figure] = figuresInText(`${nodeOf(values)['STANDARD']} requests per ${word}`, from);
    if (figure === undefined) return [];
    const counted = operations.filter(
      ({ node }) => nodeOf(nodeOf(node['x-google-quota'])['metricCosts'])[name] === 1,
    );
    return [{ figure: { ...figure, isProse: false }, operations: counted }];
  });
}
