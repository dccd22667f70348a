import { expect, it } from 'vitest';
import { settledAfterMs } from '../../contract/bounds.ts';
import { caseOf } from '../case.ts';
import { admitted, limited, originMs, times, traceOfDocument } from '../testing/traces.ts';
import { ofPart } from './of-part.ts';

const also = [
  { name: 'ten', limit: 2, windowSeconds: 10, promise: 'fixed' },
  { name: 'hour', limit: 9, windowSeconds: 3_600 },
];

/** 4 media uploads in 60 s, of which the run was told to expect 3, and two in 10 s, by which the 429 is one. */
function analysisOf(document: Readonly<Record<string, unknown>>) {
  const scopes = { media: { title: 'media', limit: 4, ...document } };
  const limits = { limits: { media: 3 } };
  const two = times(2, () => admitted(100_000, 100_000));
  const trace = traceOfDocument([admitted(0, 0), ...two, limited(102_000, 102_000)], { scopes }, limits);
  const [analysis] = caseOf(trace).analyses;
  if (analysis === undefined) throw new Error('nothing is said of media uploads');
  return { analysis, deployment: trace.header.deployment };
}

it('has the count and the window of its own, and the 429s that it may explain', () => {
  const { analysis, deployment } = analysisOf({ also });
  const seen = (name: string | null) => {
    const { group, promise, judgedRefusals } = ofPart(analysis, name, deployment);
    const { limit, windowMs, settledMs } = group;
    expect(settledMs).toBe(originMs + settledAfterMs(windowMs));
    return [limit, windowMs, promise.kind, group.limited.length, judgedRefusals];
  };
  expect(seen('ten')).toEqual([2, 10_000, 'fixed', 1, 1]);
  expect(seen(null)).toEqual([3, 60_000, 'rolling', 0, 0]);
  expect(seen('hour')).toEqual([9, 3_600_000, 'rolling', 1, 0]);
});

it('is the whole where a scope has one limit alone', () => {
  const { analysis, deployment } = analysisOf({ promise: 'fixed' });
  expect(ofPart(analysis, null, deployment)).toBe(analysis);
});
