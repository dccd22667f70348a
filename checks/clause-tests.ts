import { clauses, type RegisteredClause } from '../contract/clauses/registry.ts';

/** The groups of the Vitest checks, each with the beginnings of the ids of its clauses. */
export const clauseGroups = {
  access: ['auth.', 'version.'],
  errors: ['error.'],
  headers: ['headers.'],
  limits: ['limits.', 'window.', 'load.'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ClauseGroup = keyof typeof clauseGroups;

/** The clauses of a group, in the document's order. */
export function clausesInGroup(group: ClauseGroup): readonly RegisteredClause[] {
  return clauses.filter(({ id }) => clauseGroups[group].some((prefix) => id.startsWith(prefix)));
}

/** The name of a clause's test within its group. */
export function testNameOf({ id, level, title }: RegisteredClause): string {
  return `${id} (${level}): ${title}`;
}

/** The clauses whose tests a pattern selects, as Vitest does it: by the names of the group and the test. */
export function selectedClauses(pattern: RegExp | undefined): readonly RegisteredClause[] {
  return (Object.keys(clauseGroups) as ClauseGroup[]).flatMap((group) =>
    clausesInGroup(group).filter((clause) => pattern?.test(`${group} ${testNameOf(clause)}`) ?? true),
  );
}
