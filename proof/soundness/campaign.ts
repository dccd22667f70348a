import fc from 'fast-check';
import { type Conforming, hostileRun } from './hostile-run.ts';
import { type HostileSetting, hostileSetting } from './hostile-world.ts';

export type CampaignResult = {
  readonly runs: number;
  /** Settings under which a conforming service was called violated, with the clauses; at most `shownMax`. */
  readonly falseVerdicts: readonly {
    readonly setting: HostileSetting;
    readonly violated: readonly string[];
  }[];
  readonly falseVerdictsTotal: number;
  /** Of the `must` clauses that a run was meant to judge, those that it could judge neither way. */
  readonly inconclusive: number;
  readonly judged: number;
};

const shownMax = 5;

/** Runs drawn at a time: a setting depends on the campaign's seed and its place alone. */
const batchSize = 500;

export type CampaignOptions = {
  readonly runs: number;
  readonly seed: number;
  readonly services: readonly Conforming[];
  readonly onProgress: (runs: number) => void;
};

/** Plays conforming services in hostile worlds and counts false verdicts. */
export function campaign({ runs, seed, services, onProgress }: CampaignOptions): CampaignResult {
  const arbitrary = hostileSetting(services.length);
  const falseVerdicts: { readonly setting: HostileSetting; readonly violated: readonly string[] }[] = [];
  let falseVerdictsTotal = 0;
  let inconclusive = 0;
  let judged = 0;
  for (let done = 0; done < runs; done += batchSize) {
    const numRuns = Math.min(batchSize, runs - done);
    for (const setting of fc.sample(arbitrary, { numRuns, seed: seed + done / batchSize })) {
      const result = hostileRun(setting, services);
      inconclusive += result.inconclusive;
      judged += result.judged;
      if (result.violated.length === 0) continue;
      falseVerdictsTotal += 1;
      if (falseVerdicts.length < shownMax) falseVerdicts.push({ setting, violated: result.violated });
    }
    onProgress(done + numRuns);
  }
  return { runs, falseVerdicts, falseVerdictsTotal, inconclusive, judged };
}
