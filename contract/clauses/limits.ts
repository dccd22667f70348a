import type { Clause } from '../clause.ts';
import { messagingDocument } from '../document/messaging.ts';
import type { Scope } from '../scopes.ts';

const section = 'Limits';

const countJudged =
  'Over-admission: limit + 1 admitted requests of one key whose every possible moment of counting lies inside one ' +
  'window. Wrongful 429: a refusal although even the most generous count of the window before it is below the limit, ' +
  'judged once requests made before the run can no longer matter.';

/** What a document says of one scope. */
type OfScope<Name extends Scope> = {
  readonly scope: Name;
  readonly title: string;
  readonly limit: number;
  /** "a minute" */
  readonly perWindow: string;
  /** "minute" */
  readonly window: string;
  readonly dependsOn: readonly string[];
  /** Whose requests are counted together, "A key" where nothing else is said. */
  readonly who?: string;
};

/** The clause about the limit of one scope. */
export function limitClause<Name extends Scope>({ scope, title, limit, ...said }: OfScope<Name>) {
  const { perWindow, window, dependsOn, who = 'A key' } = said;
  return {
    id: `limits.${scope}` as const,
    section,
    level: 'must',
    title: `${limit} ${perWindow} on ${title}`,
    requirement: `${who} can make exactly ${limit} requests on ${title} in any rolling ${window}, no more and no fewer.`,
    judged: countJudged,
    violation:
      `${limit + 1} requests admitted inside one ${window}, or a 429 with fewer than ${limit} requests in the ` +
      `${window} before.`,
    needs: 'saturation',
    dependsOn,
  } as const;
}

const minute = { perWindow: 'a minute', window: 'minute' } as const;
const apart = ['limits.per-scope', 'limits.per-key'] as const;
const { standard, messages, media } = messagingDocument.scopes;

/** What the messaging document promises about how many requests pass, and when capacity returns. */
export const limitClauses = [
  limitClause({ scope: 'standard', ...standard, ...minute, dependsOn: apart }),
  limitClause({
    scope: 'messages',
    ...messages,
    ...minute,
    dependsOn: [...apart, 'limits.messages-subpaths'],
  }),
  limitClause({ scope: 'media', ...media, ...minute, dependsOn: apart }),
  {
    id: 'limits.messages-subpaths',
    section,
    level: 'must',
    title: 'sub-paths share the messages window',
    requirement: 'Paths below /v1/messages are counted in the same window as /v1/messages itself.',
    judged:
      'While /v1/messages is full, a request to a path below it is sent; admitted, it proves a count of its own.',
    violation: 'A request below /v1/messages admitted while the 300 of the window were used up.',
    needs: 'subpath',
    dependsOn: [],
  },
  {
    id: 'limits.per-key',
    section,
    level: 'must',
    title: 'counted per API key',
    requirement: 'Each API key has windows of its own: one key that is full does not limit another.',
    judged:
      'While the first key is certainly full, the second sends a few requests to the same scope, early and late.',
    violation:
      'A 429 for a key with next to no requests, late enough that nothing from before the run explains it.',
    needs: 'second-key',
    dependsOn: [],
  },
  {
    id: 'limits.per-scope',
    section,
    level: 'must',
    title: 'counted per scope',
    requirement: 'Each scope is counted apart: one that is full does not limit another.',
    judged:
      'All scopes are filled at once; an admission that one shared count would have refused shows that they are counted apart.',
    violation: '429s that a scope’s own requests cannot explain but the requests of all scopes together do.',
    needs: 'saturation',
    dependsOn: [],
  },
  {
    id: 'limits.per-second',
    section,
    level: 'observe',
    title: 'is a figure per second a cap?',
    requirement:
      'The document adds figures per second, such as "2 per second": the average of the window, or caps of their own.',
    judged: 'Admissions closer together than such a cap allows show that there is none.',
    violation: 'Never: what is found is reported.',
    needs: 'saturation',
    dependsOn: [],
  },
  {
    id: 'limits.rejections-count',
    section,
    level: 'observe',
    title: 'do rejected requests count?',
    requirement: 'The document does not say whether a rejected request takes a place in the window.',
    judged:
      'An admission although earlier admissions and rejections together reach the limit shows that they do not.',
    violation: 'Never: both readings conform.',
    needs: 'saturation',
    dependsOn: [],
  },
  {
    id: 'window.rolling',
    section,
    level: 'must',
    title: 'the window rolls',
    requirement:
      'Capacity returns request by request, as each leaves the window behind it; never all at once.',
    judged:
      'The lengths of rolling window that explain every admission and every 429 are computed from the trace; ' +
      'the clause is violated where there is no such length.',
    violation:
      'Limit + 1 admissions inside one window after a 429 had shown it full, or capacity that stays away.',
    needs: 'saturation',
    dependsOn: [
      'limits.standard',
      'limits.messages',
      'limits.media',
      'limits.per-scope',
      'limits.per-key',
      'limits.messages-subpaths',
    ],
  },
  {
    id: 'window.length',
    section,
    level: 'must',
    title: 'the window is one minute',
    requirement: 'The rolling window is 60 seconds long.',
    judged:
      'The lengths that explain the trace are reported as an interval; violated where it lies outside 60 s by more than ' +
      'the clocks’ bounds (and, at the long end, by more than counting in whole seconds, or in any equal parts of one, ' +
      'explains: single places that were taken at twelve fractions of a second tell that apart).',
    violation: 'Every admission and 429 fits a rolling window of another length only.',
    needs: 'saturation',
    dependsOn: [
      'limits.standard',
      'limits.messages',
      'limits.media',
      'limits.per-scope',
      'limits.per-key',
      'limits.messages-subpaths',
      'window.rolling',
    ],
  },
  {
    id: 'window.granularity',
    section,
    level: 'should',
    title: 'no slot is held beyond its minute',
    requirement: 'A request leaves the window after 60 seconds, not up to a second later.',
    judged: 'A 429 up to one second after enough requests have left the window.',
    violation: 'A refusal that only a limiter counting in whole seconds explains.',
    needs: 'saturation',
    dependsOn: [
      'limits.standard',
      'limits.messages',
      'limits.media',
      'limits.per-scope',
      'limits.per-key',
      'limits.messages-subpaths',
      'window.rolling',
      'window.length',
    ],
  },
] as const satisfies readonly Clause[];

export type LimitClauseId = (typeof limitClauses)[number]['id'];
