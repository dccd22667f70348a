import { scopesMax } from '../../contract/document/scope.ts';
import { howMany } from '../../contract/quantities.ts';
import { baseUrlOf, type OpenApi } from './openapi.ts';
import type { Figure } from './openapi-figures.ts';

/** What was looked for and not found, and where. */
export type Missing = { readonly what: string; readonly lookedIn: string };

/** How much was found of each kind. */
export type Found = {
  readonly limits: number;
  readonly pathsLeftOut: number;
  readonly refusals: number;
  readonly headers: number;
  readonly keys: number;
  readonly request: boolean;
  /** Limits of some operations that become no scopes. */
  readonly inSentences: readonly Figure[];
  /** Why the schema of the bodies of refusals cannot be taken; `null` where it can, or is not there. */
  readonly flawedBody: string | null;
};

/** What a description does not say, as a person is told. */
export function missingIn(api: OpenApi, found: Found): readonly Missing[] {
  const counted = howMany(api.operations.length, 'operation');
  const rows: readonly (readonly [isMissing: boolean, what: string, lookedIn: string])[] = [
    [
      found.limits === 0,
      'how many requests pass',
      `extensions x-…ratelimit…, x-…throttl…, x-…quota… of the file, its paths and ${counted}; its description; those of ${howMany(found.refusals, 'answer')} over the limit`,
    ],
    [
      found.inSentences.length > 0,
      `scopes of operations whose sentences or quotas name limits: ${sentencesText(found.inSentences)}`,
      'their descriptions, which may speak of something else, and x-google-management',
    ],
    [
      found.pathsLeftOut > 0,
      found.pathsLeftOut === 1
        ? '1 more path with limits of its own'
        : `${found.pathsLeftOut} more paths with limits of their own`,
      `a document has at most ${scopesMax} scopes`,
    ],
    [
      api.unread.length > 0,
      `what stands in ${howMany(api.unread.length, 'other file')}: ${shownOf(api.unread)}`,
      'the folders that references name, from the file in which each stands',
    ],
    [
      found.refusals === 0,
      'an answer over the limit',
      `429, and 403 and 503 that speak of a rate limit, of ${counted}`,
    ],
    [
      found.flawedBody !== null,
      `a schema of the bodies of refusals that can be used: ${found.flawedBody}`,
      'the first of those answers that has a schema of JSON',
    ],
    [found.headers === 0, 'headers of limits', `header definitions of the answers of ${counted}`],
    [found.keys === 0, 'how keys are sent', 'security of the file and of the request, and its schemes'],
    [baseUrlOf(api) === null, 'the address of the service', 'servers, or host and basePath'],
    [
      !found.request,
      'a request without effects',
      `GET and HEAD of ${counted} whose required parameters have examples`,
    ],
  ];
  return rows.flatMap(([isMissing, what, lookedIn]) => (isMissing ? [{ what, lookedIn }] : []));
}

function sentencesText(figures: readonly Figure[]): string {
  return shownOf(figures.map(({ limit, seconds, from }) => `${limit} in ${seconds} s (${from})`));
}

const shownMax = 3;

function shownOf(all: readonly string[]): string {
  const more = all.length - shownMax;
  return `${all.slice(0, shownMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
