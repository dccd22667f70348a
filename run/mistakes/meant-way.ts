import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * What is wrong with a value that can be written in several ways, by the way that was meant: the one with the fewest mistakes of those whose
 * kind of value it is. The issue itself where none is such, or several are alike.
 */
export function asMeant(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [meant, next] = issue.errors
    .filter((issues) => issues.length > 0 && !issues.some(isOfOtherKind))
    .toSorted((one, other) => one.length - other.length);
  if (meant === undefined || next?.length === meant.length) return [issue];
  return meant.flatMap(asMeant).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }) as Issue);
}

/** Whether the whole value is of another kind than such a way takes: a text in place of fields, say, or none of its words. */
function isOfOtherKind({ code, path }: Issue): boolean {
  return path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
}
