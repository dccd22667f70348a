import { describe, expect, test } from 'vitest';
import type { MessagingScope, Scope } from '../../contract/scopes.ts';
import { reference, type Subject } from '../faults/subjects.ts';
import { wholeRun } from '../faults/whole-run.ts';
import type { SimulatedRequest, SimulatedService } from './simulated-service.ts';
import { clausesWith } from './simulated-trace.ts';

/** Another program with one of the keys: one request at a time, at this interval, from this moment of the run on. */
type Other = {
  readonly key: string;
  readonly everyMs: number;
  readonly fromMs: number;
  /** All of them where it is left out. */
  readonly scopes?: readonly Scope[];
};

const paths = { standard: '/v1/status', messages: '/v1/messages', media: '/v1/media' } as const;

/** The service with somebody else beside the run. */
function withOther(
  service: SimulatedService,
  { key, everyMs, fromMs, scopes = ['standard', 'messages', 'media'] }: Other,
): SimulatedService {
  let nextMs: number | null = null;
  return (request, nowMs) => {
    nextMs ??= nowMs + fromMs;
    for (; nextMs <= nowMs; nextMs += everyMs) {
      for (const scope of scopes) service(ofOther(scope, key), nextMs);
    }
    return service(request, nowMs);
  };
}

function ofOther(scope: Scope, key: string): SimulatedRequest {
  return {
    scope,
    route: 'main',
    key,
    credential: 'valid',
    method: 'GET',
    path: paths[scope as MessagingScope],
    node: 0,
    connection: 0,
    purpose: 'of somebody else',
    userAgent: '',
  };
}

const minuteMs = 60_000;

function judged(subject: Subject, other: Other, seed: number) {
  return wholeRun({ service: withOther(subject.open(), other), setting: subject.setting, seed }).judgement;
}

describe('somebody else uses the key that is filled', () => {
  test.each<readonly [string, Other]>([
    ['all the time, thirteen times a minute', { key: 'A', everyMs: 4_600, fromMs: -2 * minuteMs }],
    ['all the time, every five seconds', { key: 'A', everyMs: 5_000, fromMs: -2 * minuteMs }],
    [
      'all the time, standard alone, every two seconds',
      { key: 'A', everyMs: 2_069, fromMs: -2 * minuteMs, scopes: ['standard'] },
    ],
    ['all the time, so often that nothing is left', { key: 'A', everyMs: 150, fromMs: -2 * minuteMs }],
    ['from the middle of the fill on', { key: 'A', everyMs: 90, fromMs: 1_500 }],
    ['from when the window was full on, every second or so', { key: 'A', everyMs: 700, fromMs: 10_000 }],
    [
      'to messages, from the middle of the quiet part on, every second or so',
      { key: 'A', everyMs: 1_156, fromMs: 37_200, scopes: ['messages'] },
    ],
    ['from when places had come back on, every second or so', { key: 'A', everyMs: 700, fromMs: 62_000 }],
    ['from when places had come back on, every three seconds', { key: 'A', everyMs: 3_000, fromMs: 62_000 }],
    ['from then on, ten times a second', { key: 'A', everyMs: 100, fromMs: 62_000 }],
  ])('%s: nothing is violated', (_when, other) => {
    for (const seed of [1, 2, 3]) {
      const judgement = judged(reference, other, seed);
      expect(clausesWith(judgement, 'violated'), `seed ${seed}`).toEqual([]);
      const limits = judgement.clauses.find(({ clause }) => clause === 'limits.messages')?.verdict;
      expect(limits, `seed ${seed}`).toMatchObject({
        kind: 'inconclusive',
        reason: expect.stringMatching(/^somebody else uses key A: /),
      });
    }
  });
});
