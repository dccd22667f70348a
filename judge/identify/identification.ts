import type { IdentifiedGroup } from '../../contract/identification.ts';
import { type Attempts, attemptEach } from '../attempts.ts';
import type { Group } from '../entries.ts';

/** The limiter of a group, or of none, or a sentence where it could not be identified. */
export type Identification = Attempts<IdentifiedGroup>;

/** The limiter of an identifiable group, from whatever is left of the group. */
export function identifying(
  group: Pick<Group, 'key' | 'scope'>,
  identified: () => readonly IdentifiedGroup[],
): Identification {
  return attemptEach(
    [group],
    identified,
    ({ key, scope }) => `the limiter of key ${key} at ${scope} could not be identified`,
  );
}
