import { expect, test } from 'vitest';
import { admitted, indeterminate, times } from '../../judge/testing/traces.ts';
import { cutShortText, remarksOn } from './remarks-on.ts';

const expected = { windowMsMax: 60_000 };
const failed = () => admitted(0, 5, { status: 503, outcome: 'refused' });

test('how many answers say nothing is said, of one and of several', () => {
  expect(remarksOn([failed(), indeterminate(10)], expected)).toEqual([
    '1 answer with status 503 may or may not have counted',
    '1 request was not answered and may have counted',
  ]);
  expect(remarksOn([...times(2, failed), ...times(3, indeterminate)], expected)).toEqual([
    '2 answers with status 503 may or may not have counted',
    '3 requests were not answered and may have counted',
  ]);
  expect(remarksOn([admitted(0, 5, { status: 302, outcome: 'admitted' })], expected)).toEqual([
    'answers with status 302 were taken for admitted',
  ]);
});

test('a run that may send no more says how much it sent', () => {
  const after = (sent: number) => cutShortText({ requestsMax: 1 }, times(sent, failed));
  expect(after(1)).toMatch(/^stopped after 1 request, as many as/);
  expect(after(0)).toMatch(/^stopped when the time was up/);
});
