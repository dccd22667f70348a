import { isAtOrBelow, type Path, pathOf } from './paths.ts';

/** A path as a document writes it, in which `{name}` stands for any text without a slash. */
type PathPattern = string;

/** What a pattern takes: two with the same form take the same paths. The name of what may vary is not in it. */
export type PathForm = string;

/** Where any text may stand. */
const varying = '{}';

/** The form of all paths, that of "/". */
export const everyPath: PathForm = '';

/** Spelt as the router reads it; a slash at the end adds nothing, since all below is meant. */
export function formOf(pattern: PathPattern): PathForm {
  const literals = pattern.replace(/\/$/, '').split(/\{[^{}]*\}/);
  return literals.map(pathOf).join(varying);
}

/** Whether a path is one of these, or lies below one. */
export function matcherOf(form: PathForm): (path: Path) => boolean {
  if (!form.includes(varying)) return (path) => isAtOrBelow(path, form);
  const literals = form.split(varying).map((text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'));
  const expression = new RegExp(`^${literals.join('[^/]+')}(?:/|$)`);
  return (path) => expression.test(path);
}

/** Orders forms that take the same path: the one with more segments first, then the one that leaves fewer letters open. */
export function nearestFirst(one: PathForm, other: PathForm): number {
  return segments(other) - segments(one) || written(other) - written(one);
}

function segments(form: PathForm): number {
  return form.split('/').length;
}

function written(form: PathForm): number {
  return form.replaceAll(varying, '').length;
}

/** A path that the pattern takes. */
export function samplePathOf(pattern: PathPattern): Path {
  return pattern.replaceAll(/\{[^{}]*\}/g, '1');
}
