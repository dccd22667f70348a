import { isAtOrBelow } from '../../contract/document/paths.ts';
import { type RequestMethod, requestMethods } from '../../contract/request-template.ts';
import type { OpenApi, Operation } from './openapi.ts';
import { type Figure, figuresInExtensions } from './openapi-figures.ts';

/** A limit that some operations have, and not all. */
export type OwnLimit = {
  /** As a document writes it; parameters stand in braces in both. */
  readonly path: string;
  /** `null` where all operations at the path and below it have this limit. */
  readonly methods: readonly RequestMethod[] | null;
  readonly figure: Figure;
  /** Those that it counts. */
  readonly operations: readonly Operation[];
};

type Limited = { readonly operation: Operation; readonly figure: Figure | undefined };

/**
 * The limits in extensions of paths and operations. Where one is said of all that lies below a path without parameters, it is that
 * path's; else each path has its own, and where its operations differ, each of their methods.
 */
export function ownLimitsOf({ operations }: OpenApi): readonly OwnLimit[] {
  const limited = operations.map((operation): Limited => ({ operation, figure: figureOf(operation) }));
  const roots = [...new Set(limited.flatMap((one) => (one.figure === undefined ? [] : [rootOf(one)])))];
  return roots.flatMap((root): readonly OwnLimit[] => {
    const below = limited.filter(({ operation }) => isAtOrBelow(operation.path, root));
    const whole = root === '' ? null : commonFigure(below);
    if (whole !== null)
      return [
        { path: root, methods: null, figure: whole, operations: below.map(({ operation }) => operation) },
      ];
    return byPath(below.filter((one) => rootOf(one) === root));
  });
}

function figureOf({ path, method, node, item }: Operation): Figure | undefined {
  const [figure] = [
    ...figuresInExtensions(node, `${method.toUpperCase()} ${path}`),
    ...figuresInExtensions(item, path),
  ];
  return figure;
}

/** A path as far as it has no parameters. */
function rootOf({ operation: { path } }: Limited): string {
  return path.replace(/\/[^/]*\{.*$/, '').replace(/\/$/, '');
}

/** The limit that all of them name; `null` where one does not. */
function commonFigure(all: readonly Limited[]): Figure | null {
  const [first] = all;
  const isCommon = all.every(({ figure }) => figure !== undefined && isSame(figure, first?.figure));
  return isCommon ? (first?.figure ?? null) : null;
}

function isSame(one: Figure, other: Figure | undefined): boolean {
  return one.limit === other?.limit && one.seconds === other.seconds;
}

/** Limits of single paths; where the operations of one differ, each with the methods of those that have it. */
function byPath(all: readonly Limited[]): readonly OwnLimit[] {
  const paths = [...new Set(all.map(({ operation }) => operation.path))];
  return paths.flatMap((path): readonly OwnLimit[] => {
    const at = all.filter(({ operation }) => operation.path === path);
    const whole = commonFigure(at);
    if (whole !== null) return [{ path, methods: null, figure: whole, operations: operationsOf(at) }];
    const figures = at.flatMap(({ figure }) => figure ?? []);
    const apart = figures.filter((one, place) => figures.findIndex((other) => isSame(other, one)) === place);
    return apart.map((figure) => {
      const operations = operationsOf(at.filter((one) => isSame(figure, one.figure)));
      return { path, methods: operations.flatMap(methodsOf), figure, operations };
    });
  });
}

function operationsOf(all: readonly Limited[]): readonly Operation[] {
  return all.map(({ operation }) => operation);
}

/** The method of an operation as a document writes it. */
function methodsOf({ method }: Operation): readonly RequestMethod[] {
  return requestMethods.filter((one) => one === method.toUpperCase());
}
