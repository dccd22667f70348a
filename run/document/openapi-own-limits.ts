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
  /** At least one. */
  readonly figures: readonly Figure[];
  /** Those that it counts. */
  readonly operations: readonly Operation[];
};

type Limited = { readonly operation: Operation; readonly figures: readonly Figure[] };

/**
 * The limits in extensions of paths and operations. Where one is said of all that lies below a path without parameters, it is that
 * path's; else each path has its own, and where its operations differ, each of their methods.
 */
export function ownLimitsOf({ operations }: OpenApi): readonly OwnLimit[] {
  const limited = operations.map((operation): Limited => ({ operation, figures: figuresOf(operation) }));
  const roots = [...new Set(limited.flatMap((one) => (one.figures.length === 0 ? [] : [rootOf(one)])))];
  return roots.flatMap((root): readonly OwnLimit[] => {
    const below = limited.filter(({ operation }) => isAtOrBelow(operation.path, root));
    const whole = root === '' ? null : commonFigures(below);
    if (whole !== null)
      return [{ path: root, methods: null, figures: whole, operations: operationsOf(below) }];
    return byPath(below.filter((one) => rootOf(one) === root));
  });
}

/** What an operation itself says comes before what is said of its path. */
function figuresOf({ path, method, node, item }: Operation): readonly Figure[] {
  const own = figuresInExtensions(node, `${method.toUpperCase()} ${path}`);
  return own.length > 0 ? own : figuresInExtensions(item, path);
}

/** A path as far as it has no parameters. */
function rootOf({ operation: { path } }: Limited): string {
  return path.replace(/\/[^/]*\{.*$/, '').replace(/\/$/, '');
}

/** The limits that all of them name; `null` where one does not. */
function commonFigures(all: readonly Limited[]): readonly Figure[] | null {
  const [{ figures } = { figures: [] }] = all;
  return figures.length > 0 && all.every((one) => isSame(one.figures, figures)) ? figures : null;
}

function isSame(some: readonly Figure[], others: readonly Figure[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ limit, seconds }, at) => limit === others[at]?.limit && seconds === others[at].seconds)
  );
}

/** Limits of single paths; where the operations of one differ, each with the methods of those that have it. */
function byPath(all: readonly Limited[]): readonly OwnLimit[] {
  const paths = [...new Set(all.map(({ operation }) => operation.path))];
  return paths.flatMap((path): readonly OwnLimit[] => {
    const at = all.filter(({ operation }) => operation.path === path);
    const whole = commonFigures(at);
    if (whole !== null) return [{ path, methods: null, figures: whole, operations: operationsOf(at) }];
    const named = at.map(({ figures }) => figures).filter((figures) => figures.length > 0);
    const differing = named.filter((one, place) => named.findIndex((other) => isSame(other, one)) === place);
    return differing.map((figures) => {
      const operations = operationsOf(at.filter((one) => isSame(figures, one.figures)));
      return { path, methods: operations.flatMap(methodsOf), figures, operations };
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
