import { expect, test } from 'vitest';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { restartAt } from '../../service/faults/counting.ts';
import { offlineService } from '../../service/offline.ts';
import { wholeRun } from './whole-run.ts';

const summary = 'a restart that loses all counts';

function violatedBy(share: number, unannounced: boolean, seed: number): readonly string[] {
  const service = offlineService({
    limits: documentedLimits,
    windowMs: documentedWindowMs,
    faults: [{ name: 'restart', summary, patch: restartAt(share) }],
  });
  const { judgement } = wholeRun({ service, setting: { unannounced }, seed });
  return judgement.clauses.flatMap(({ clause, verdict }) =>
    verdict.kind === 'violated' ? [`${clause} ${verdict.reason}`] : [],
  );
}

test.each([0.25, 0.4, 0.55, 0.7, 0.9])(
  'counts that are lost after %s of the window show no other length of window',
  (share) => {
    for (const seed of [1, 2]) {
      for (const unannounced of [false, true]) {
        expect(violatedBy(share, unannounced, seed), `seed ${seed}`).toEqual(['window.rolling early-return']);
      }
    }
  },
  60_000,
);
