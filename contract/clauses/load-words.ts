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

/** Words of load clauses where a limit is no rolling window. */
const ofOtherKinds: Readonly<Record<string, Words>> = {
  ...ofOtherWindows,
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

/** The words of a load clause in a document whose limits differ from a rolling minute; none where they do not. */
export function ofOtherLimits(document: Document, id: string): Words {
  if (!isRollingAlone(document)) return ofOtherKinds[id] ?? {};
  const isMinute = scopesOf(document).every((scope) =>
    partsOf(document, scope).every(({ seconds }) => seconds === 60),
  );
  return isMinute ? {} : (ofOtherWindows[id] ?? {});
}
