import type { Report } from './result.ts';

/** The readings and bounds under which the verdicts were reached, as a paragraph. */
export function premisesText({ deployment, bounds }: Report): string {
  const perSecond = {
    average: 'the minute’s average (perSecond: average)',
    cap: 'caps of their own (perSecond: cap)',
    unset: 'the minute’s average unless only a cap explains the answers (perSecond is not set)',
  }[deployment.perSecond ?? 'unset'];
  return (
    `Read as: "2 per second" and "5 per second burst" are ${perSecond}; ` +
    `the keys ${deployment.exclusiveKeys ? 'have no other user' : 'may have other users'}; ` +
    `the service’s clock may be ${deployment.clockSkewSecondsMax} s off. ` +
    `Allowed for: clocks ${ppm(bounds.clockRate)} apart in rate, a service clock of ${bounds.clockResolutionMs} ms, ` +
    `${bounds.granularityMs / 1_000} s for limiters that count in whole seconds, our own clock’s corrections up to ` +
    `${bounds.clockStepMs} ms and ${ppm(bounds.clockSlew)}.`
  );
}

function ppm(fraction: number): string {
  return `${Math.round(fraction * 1e6)} ppm`;
}
