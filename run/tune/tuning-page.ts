import { configurationsFor } from '../../backoff/configurations.ts';
import { parametersText } from '../../backoff/tuning/families.ts';
import type { Figures, Mean } from '../../backoff/tuning/figures.ts';
import type { Ranked } from '../../backoff/tuning/rank.ts';
import { bestOfEachFamily } from '../../backoff/tuning/search.ts';
import type { Tuning } from '../../backoff/tuning/tuning.ts';
import { howMany } from '../../contract/quantities.ts';
import { renderBackoffPage } from '../../reports/page/backoff-page.ts';
import { bundlePage } from '../../reports/page/bundle-page.ts';
import type { Frontier } from '../../reports/page/frontier.ts';

/** What tuning found as one self-contained page. */
export async function tuningPage(tuning: Tuning): Promise<string> {
  const { client } = tuning;
  const title = `Backoff for ${howMany(client.rate.limit, 'request')} in ${client.rate.windowMs / 1_000} s`;
  const input = { title, frontier: frontierIn(tuning), configurations: configurationsFor(tuning) };
  return renderBackoffPage(input, await bundlePage());
}

/** A strategy with more 429s for each job than this is left out: beside it the others could not be distinguished. */
const wastedMax = 10;

/** The best of each family, and what is used today; without what loses jobs: to do less is no way of being sooner. */
export function frontierIn({ client, situations, ranking, recommended }: Tuning): Frontier {
  const best = bestOfEachFamily(ranking);
  const shown = best.filter(({ figures }) => figures.every(isShown));
  const leftOut = best.filter((one) => !shown.includes(one)).map(({ trial }) => trial.candidate.name);
  const names = situations.map(({ name }) => name).join(' and ');
  const bounds = situations.map(({ boundSeconds }) => boundSeconds);
  return {
    setting: `${client.limiter.name}, ${client.rate.limit} in ${client.rate.windowMs / 1_000} s; ${client.clients} clients, ${client.jobs} jobs; ${situations.length > 1 ? `the mean of ${names}` : names}${leftOut.length === 0 ? '' : `; not shown, for it loses jobs or is refused too often: ${leftOut.join(', ')}`}`,
    lowerBoundSeconds: average(bounds),
    strategies: shown.map((one) => ({
      name: one.trial.candidate.name,
      parameters: parametersText(one.trial.candidate.parameters),
      makespanSeconds: averageMean(one.figures.map(({ makespanSeconds }) => makespanSeconds)),
      wasted: averageMean(one.figures.map(({ wasted }) => wasted)),
      role: roleOf(one, recommended),
    })),
  };
}

function isShown({ lostJobs, wasted }: Figures): boolean {
  return lostJobs === 0 && wasted.value <= wastedMax;
}

function roleOf(one: Ranked, recommended: Ranked): Frontier['strategies'][number]['role'] {
  if (one === recommended) return 'recommended';
  return one.trial.candidate.family === null ? 'today' : 'other';
}

/** The mean of independent means, with the interval that follows from theirs. */
function averageMean(means: readonly Mean[]): Mean {
  const value = average(means.map((mean) => mean.value));
  const half = Math.hypot(...means.map((mean) => mean.high - mean.value)) / means.length;
  return { value, low: Math.max(0, value - half), high: value + half };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
