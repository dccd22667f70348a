import { listOf, nodeOf, type OpenApi, type Operation } from './openapi.ts';
import { type Figure, figuresInDescription, figuresInExtensions, figuresInText } from './openapi-figures.ts';
import { quotasOf } from './openapi-google.ts';
import type { Refusal } from './openapi-refusals.ts';

/** What a description says of limits that no path or operation has by an extension. */
export type SaidLimits = {
  /** Of all requests; those that say their window first, and no limit twice. */
  readonly whole: readonly Figure[];
  /** Of some operations, without a scope: Google’s quotas, and the first that a sentence of a description or a refusal names. */
  readonly single: readonly Figure[];
};

export function saidLimits(api: OpenApi, refusals: readonly Refusal[]): SaidLimits {
  const { root, resolved, operations } = api;
  const info = resolved(root['info']);
  const ofRefusals = figuresOfRefusals(refusals);
  const quotas = Map.groupBy(quotasOf(api), (one) => one.operations.length === operations.length);
  const figuresBy = (isWhole: boolean): readonly Figure[] =>
    (quotas.get(isWhole) ?? []).map(({ figure }) => figure);
  const prose = [
    ...figuresInDescription(info['description'], 'the description of the file'),
    ...listOf(root['tags']).flatMap((tag) =>
      figuresInDescription(nodeOf(tag)['description'], `the description of the tag ${nodeOf(tag)['name']}`),
    ),
    ...ofRefusals.whole,
  ];
  const whole = [
    ...figuresBy(true),
    ...figuresInExtensions(root, 'the file'),
    ...figuresInExtensions(info, 'info'),
    ...prose.slice(0, 50),
  ];
  const apart = new Map(whole.map((one) => [`${one.limit}/${one.seconds}`, one] as const).toReversed());
  return {
    whole: [...apart.values()].toReversed(),
    single: [...figuresBy(false), ...operations.flatMap(describedFigures), ...ofRefusals.single],
  };
}

/** The first limit that the description of an operation names, where it has no other. */
function describedFigures({ path, method, node, item }: Operation): readonly Figure[] {
  const isSaid = [node, item].some((one) => figuresInExtensions(one, path).length > 0);
  return isSaid
    ? []
    : figuresInDescription(node['description'], `${method.toUpperCase()} ${path}`).slice(0, 1);
}

/** The limits that descriptions of refusals name: of the whole where half of them do, else of single operations. */
function figuresOfRefusals(refusals: readonly Refusal[]): SaidLimits {
  const named = refusals.map(({ node, of }) =>
    figuresInText(node['description'], `the description of ${of}`),
  );
  const isWhole = ({ limit, seconds }: Figure): boolean =>
    2 * named.filter((all) => all.some((one) => one.limit === limit && one.seconds === seconds)).length >=
    refusals.length;
  return {
    whole: named.flat().filter(isWhole),
    single: named.flatMap((all) => all.filter((one) => !isWhole(one)).slice(0, 1)),
  };
}
