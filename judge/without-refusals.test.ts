import { expect, it } from 'vitest';
import { groupsOf } from './entries.ts';
import { admitted, limited, traceOf } from './testing/traces.ts';
import { withoutRefusals } from './without-refusals.ts';

it('takes some 429s for requests that may have counted, and leaves the others', () => {
  const [first, out, kept] = [admitted(0, 5), limited(10, 15), limited(20, 25)];
  const keyless = admitted(30, 35, { key: null, credential: 'absent' });
  const [group] = groupsOf(traceOf([first, out, kept, keyless]));
  if (group === undefined) throw new Error('the trace has no request with a key');
  const changed = withoutRefusals(group, new Set([out]));
  const unsure = { ...out, outcome: 'refused' };
  const exchanges = (name: 'entries' | 'admitted' | 'limited' | 'mayCount' | 'explaining') =>
    changed[name].map(({ exchange }) => exchange);
  expect(exchanges('entries')).toEqual([first, unsure, kept]);
  expect(exchanges('admitted')).toEqual([first]);
  expect(exchanges('limited')).toEqual([kept]);
  expect(exchanges('mayCount')).toEqual([first, unsure]);
  expect(exchanges('explaining')).toEqual([first, unsure, kept, { ...keyless, outcome: 'refused' }]);
  expect(changed.settledMs).toBe(group.settledMs);
});
