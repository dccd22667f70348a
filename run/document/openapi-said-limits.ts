import { listOf, nodeOf, type OpenApi } from './openapi.ts';
import { type Figure, figuresInDescription, figuresInExtensions, figuresInText } from './openapi-figures.ts';
import { quotasOf } from './openapi-google.ts';
import type { Refusal } from './openapi-refusals.ts';

/** The limits that are said of all requests; those that say their window first, and no limit twice. */
export function wholeFigures(api: OpenApi, refusals: readonly Refusal[]): readonly Figure[] {
  const { root, resolved } = api;
  const info = resolved(root['info']);
  const prose = [
    ...figuresInDescription(info['description'], 'the description of the file'),
    ...listOf(root['tags']).flatMap((tag) =>
      figuresInDescription(nodeOf(tag)['description'], `the description of the tag ${nodeOf(tag)['name']}`),
    ),
    ...figuresOfRefusals(refusals).whole,
  ];
  const all = [
    ...quotasOf(api).flatMap(({ figure, operations }) =>
      operations.length === api.operations.length ? [figure] : [],
    ),
    ...figuresInExtensions(root, 'the file'),
    ...figuresInExtensions(info, 'info'),
    ...prose.slice(0, 50),
  ];
  const apart = new Map(all.map((one) => [`${one.limit}/${one.seconds}`, one] as const).toReversed());
  return [...apart.values()].toReversed();
}

/** The limits that descriptions of refusals name: of the whole where half of them do, else of single operations. */
function figuresOfRefusals(refusals: readonly Refusal[]): {
  readonly whole: readonly Figure[];
  readonly single: readonly Figure[];
} {
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

/** The limits of some operations that become no scope: Google’s quotas, and the first that a sentence of a description or a refusal names. */
export function singleFigures(api: OpenApi, refusals: readonly Refusal[]): readonly Figure[] {
  const { operations } = api;
  const quotas = quotasOf(api).flatMap((one) =>
    one.operations.length === operations.length ? [] : [one.figure],
  );
  const described = operations.flatMap(({ path, method, node, item }) => {
    const isSaid = [node, item].some((one) => figuresInExtensions(one, path).length > 0);
    return isSaid
      ? []
      : figuresInDescription(node['description'], `${method.toUpperCase()} ${path}`).slice(0, 1);
  });
  return [...quotas, ...described, ...figuresOfRefusals(refusals).single];
}
