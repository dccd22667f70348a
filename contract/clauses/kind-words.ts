import type { Clause } from '../clause.ts';
import { type Document, isRollingAlone, partsOf, scopesOf } from '../document/document.ts';

type Words = Partial<Pick<Clause, 'title' | 'requirement' | 'judged' | 'violation'>>;

/** Words of load clauses where a window is no minute. */
const ofOtherWindows: Readonly<Record<string, Words>> = {
  'load.rolling-window': {
    requirement:
      'Waves around a whole multiple of the window by the wall clock, and around the expiry of the first of them, are ' +
      'admitted as requests leave the window, one by one.',
  },
  'load.over-pressure': {
    requirement:
      'Under three times the limit of every scope a key still gets the limit in any window: no more, and no fewer.',
  },
};

/** Words of clauses where a limit is no rolling window, or not alone. */
const ofOtherKinds: Readonly<Record<string, Words>> = {
  ...ofOtherWindows,
  'headers.limit': {
    requirement:
      'X-RateLimit-Limit is the number of requests that the limit of the route’s scope lets pass at once; of a bucket it may be what ' +
      'comes back in its window.',
    judged:
      'Compared with the documented limit of the scope, of a bucket with what it holds and what comes back, as a plain integer.',
  },
  'headers.remaining': {
    requirement: 'X-RateLimit-Remaining is how many requests the limit of the route’s scope still lets pass.',
    judged:
      'A value may not exceed the limit less the request itself, nor rise where nothing can have come back. It may not be less ' +
      'than what is admitted after it in the same window, or than the limit less all requests in as long as a window; of bounds, and ' +
      'beside a limit whose window no run lasts, that is not judged.',
  },
  'load.over-pressure': {
    title: 'kept at three times the limit',
    requirement:
      'Under three times the limit of every scope a key still gets what each limit promises: no more than it bounds, and ' +
      'no fewer than it grants.',
    violation: 'Admissions, or a 429, that no limit of the promised kind explains.',
  },
  'load.sustained': { violation: 'A 429 that the limit does not explain.' },
  'load.mixed-scopes': {
    requirement: 'With all scopes filled at once on one key, each admits what its own limit promises.',
    judged:
      'A window after one request to each, as many as pass at once go to all at once; then a fifth more. The judges of the ' +
      'limits decide.',
  },
  'load.nodes': {
    judged: 'One burst goes to all base URLs in turn; the judge of the limit decides.',
    violation: 'More admitted than the limit lets pass, at worst the limit of each node.',
  },
};

/** The words of a clause in a document whose limits differ from a rolling minute; none where they do not. */
export function ofOtherLimits(document: Document, id: string): Words {
  if (!isRollingAlone(document)) return ofOtherKinds[id] ?? {};
  const isMinute = scopesOf(document).every((scope) =>
    partsOf(document, scope).every(({ seconds }) => seconds === 60),
  );
  return isMinute ? {} : (ofOtherWindows[id] ?? {});
}
