import { expect, it } from 'vitest';
import { groupsOf } from './entries.ts';
import { admitted, limited, traceOf } from './testing/traces.ts';
import { withoutAnyRefusal, withoutRefusals, withTheseRefusals } from './without-refusals.ts';

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

it('takes all of them so, and some of those for 429s again, by the entries that there were', () => {
  const sent = [admitted(0, 5), limited(10, 15), limited(20, 25), limited(30, 35)];
  const keyless = admitted(40, 45, { key: null, credential: 'absent' });
  const [group] = groupsOf(traceOf([...sent, keyless]));
  if (group === undefined) throw new Error('the trace has no request with a key');
  const none = withoutAnyRefusal(group);
  const all = new Set(sent.slice(1));
  expect(none).toEqual(withoutRefusals(group, all));
  const own = new Set(sent.slice(2, 3));
  expect(withTheseRefusals(group, new Set())).toBe(none);
  const some = withTheseRefusals(group, own);
  expect(some).toEqual(withoutRefusals(group, all.difference(own)));
  expect(some.explaining[2]).toBe(group.explaining[2]);
});
