import type { Figures } from './figures.ts';
import { figuresIn, type Trial } from './trial.ts';

export type Ranked = {
  readonly trial: Trial;
  readonly figures: readonly Figures[];
  readonly standing: Standing;
};

/**
 * - `good`: does every job, waits as long as each 429 asks, and takes no longer than the fastest of these, within the slack.
 * - `slow`: the same, but takes longer.
 * - `unasked`: without jitter or growing backoff, which the document asks for, however fast.
 * - `early`: retries before `retry_after_seconds` are over.
 * - `lossy`: loses jobs.
 */
export type Standing = 'good' | 'slow' | 'unasked' | 'early' | 'lossy';

const standings: readonly Standing[] = ['good', 'slow', 'unasked', 'early', 'lossy'];

/**
 * Trials in the order of what a client should do. Good ones come first, those with the fewest 429s foremost: where two
 * are about as fast, what is refused less is better for all who share the service. Then the slow ones, the fastest first.
 * `slackShare`: how much longer than the fastest still counts as fast, in every situation.
 */
export function ranked(trials: readonly Trial[], slackShare: number): readonly Ranked[] {
  const measured = trials.map((trial) => ({ trial, figures: figuresIn(trial) }));
  const lawful = measured.filter(({ trial, figures }) => brokenBy(trial, figures) === null);
  const situations = trials[0]?.played.length ?? 0;
  const fastest = Array.from({ length: situations }, (_, at) =>
    Math.min(...lawful.map(({ figures }) => figures[at]?.overBound.value ?? Number.POSITIVE_INFINITY)),
  );
  const isFast = (figures: readonly Figures[]) =>
    figures.every(({ overBound }, at) => overBound.value <= (fastest[at] ?? 0) * (1 + slackShare));
  return measured
    .map(({ trial, figures }) => {
      const standing = brokenBy(trial, figures) ?? (isFast(figures) ? 'good' : 'slow');
      return { trial, figures, standing } as const;
    })
    .sort((left, right) => {
      const apart = standings.indexOf(left.standing) - standings.indexOf(right.standing);
      return apart !== 0 ? apart : costOf(left) - costOf(right);
    });
}

/** What it does that no client should; `null` where there is nothing. */
function brokenBy({ candidate }: Trial, figures: readonly Figures[]): 'lossy' | 'early' | 'unasked' | null {
  if (figures.some(({ lostJobs }) => lostJobs > 0)) return 'lossy';
  if (figures.some(({ early }) => early > 0)) return 'early';
  return candidate.isAsked ? null : 'unasked';
}

/** What ranks within a standing; less is better. */
function costOf({ standing, figures }: Ranked): number {
  switch (standing) {
    case 'good':
      return sumOf(figures, ({ wasted }) => wasted.value);
    case 'slow':
    case 'unasked':
    case 'early':
      return sumOf(figures, ({ overBound }) => overBound.value);
    case 'lossy':
      return sumOf(figures, ({ lostJobs }) => lostJobs);
    default:
      return standing satisfies never;
  }
}

function sumOf(figures: readonly Figures[], figure: (one: Figures) => number): number {
  return figures.reduce((sum, one) => sum + figure(one), 0);
}
