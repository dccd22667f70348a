import { expect, test } from 'vitest';
import { documentSchema } from '../../contract/document/document.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { openBlocking } from '../../limiters/blocking.ts';
import { openSeveral } from '../../limiters/several.ts';
import { openSlidingLog } from '../../limiters/sliding-log.ts';
import type { Deviation } from '../../service/faults/fault.ts';
import { clausesWith } from '../simulation/simulated-trace.ts';
import { playedDocument } from './played-document.ts';

const clause = 'refusal.stated-wait-suffices';

type Said = {
  readonly promise: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly waitSeconds: number;
  readonly also?: readonly {
    readonly limit: number;
    readonly windowSeconds: number;
    readonly promise: string;
  }[];
};

/** How a service is judged that shuts out for so long whoever is refused; `null` for one that shuts out nobody. */
function judged({ promise, limit, windowSeconds, waitSeconds, also }: Said, blockedSeconds: number | null) {
  const document = documentSchema.parse({
    ...{
      version: 1,
      title: 'blocks',
      windowSeconds,
      headers: 'none',
      errors: 'none',
      refusal: { waitSeconds },
    },
    scopes: { rest: { title: 'all', limit, promise, also, request: { path: '/records' } } },
  });
  const other: Deviation = {
    name: 'blocked',
    summary: 'blocked for a while',
    patch: (behaviour) => ({
      ...behaviour,
      openWindow: (scope, rate) => {
        // The reference service shuts out who exceeds what is promised so.
        const further = (also ?? []).map((one) => ({
          limit: one.limit,
          windowMs: 1_000 * one.windowSeconds,
        }));
        const window =
          promise === 'at-most'
            ? openSeveral([rate, ...further].map(openSlidingLog))
            : behaviour.openWindow(scope, rate);
        return blockedSeconds === null ? window : openBlocking(window, 1_000 * blockedSeconds);
      },
    }),
  };
  const judgement = judgeTrace(playedDocument(document, { faults: [other] }));
  const found = judgement.clauses.find((one) => one.clause === clause);
  return { verdict: found?.verdict.kind, violated: clausesWith(judgement, 'violated') };
}

test.each<Said>([
  { promise: 'at-most', limit: 120, windowSeconds: 60, waitSeconds: 60 },
  { promise: 'at-most', limit: 120, windowSeconds: 60, waitSeconds: 300 },
  { promise: 'at-most', limit: 5, windowSeconds: 1, waitSeconds: 30 },
  { promise: 'at-most', limit: 1, windowSeconds: 10, waitSeconds: 20 },
  { promise: 'at-most', limit: 2, windowSeconds: 10, waitSeconds: 20 },
  {
    ...{ promise: 'at-most', limit: 120, windowSeconds: 60, waitSeconds: 90 },
    also: [{ limit: 10, windowSeconds: 2, promise: 'at-most' }],
  },
])('$limit in $windowSeconds s at most: who is shut out for longer than $waitSeconds s is found', (said) => {
  const { waitSeconds } = said;
  const held = { verdict: 'held', violated: [] };
  for (const seconds of [null, waitSeconds / 2, waitSeconds, waitSeconds + 1])
    expect([seconds, judged(said, seconds)]).toEqual([seconds, held]);
  for (const seconds of [waitSeconds + 1.5, 1.1 * waitSeconds + 1.5, 2 * waitSeconds, 4 * waitSeconds])
    expect([seconds, judged(said, seconds)]).toEqual([seconds, { verdict: 'violated', violated: [clause] }]);
});

test.each([
  [50, 120],
  [10, 30],
])(
  'a wait of %i s is too short of %i in a minute, also where the rest of the run lasts longer',
  (waitSeconds, limit) => {
    const said = { promise: 'at-most', limit, windowSeconds: 60, waitSeconds };
    for (const seconds of [null, waitSeconds + 1.5, 60, 61.5, 70])
      expect([seconds, judged(said, seconds)]).toEqual([
        seconds,
        { verdict: 'violated', violated: [clause] },
      ]);
  },
);

test.each<Said>([
  { promise: 'rolling', limit: 120, windowSeconds: 60, waitSeconds: 60 },
  { promise: 'rolling', limit: 30, windowSeconds: 60, waitSeconds: 90 },
  { promise: 'fixed', limit: 30, windowSeconds: 10, waitSeconds: 10 },
  { promise: 'token-bucket', limit: 30, windowSeconds: 60, waitSeconds: 2 },
  { promise: 'at-least', limit: 30, windowSeconds: 10, waitSeconds: 10 },
  { promise: 'unsaid', limit: 30, windowSeconds: 10, waitSeconds: 30 },
])('it is held beside a limit of another kind: $promise, $waitSeconds s', (said) => {
  expect(judged(said, null)).toEqual({ verdict: 'held', violated: [] });
});
