import type { Report } from './result.ts';

/** The readings of the document and the bounds that the verdicts rest on, as a paragraph. */
export function premisesText({ deployment, bounds, plan }: Report): string {
  const perSecond = {
    average: 'are averages of the minute’s limit (perSecond: average)',
    cap: 'are limits of their own (perSecond: cap)',
    unset:
      'are averages of the minute’s limit, unless only a limit per second explains the answers (perSecond is not set)',
  }[deployment.perSecond ?? 'unset'];
  return [
    `The verdicts assume: "2 per second" and "5 per second burst" ${perSecond}.`,
    `The keys ${deployment.exclusiveKeys ? 'have no other user' : 'may have other users'}.`,
    'Nothing between this machine and the service sends a request twice.',
    `The service’s clock is at most ${deployment.clockSkewSecondsMax} s off.`,
    `The rates of clocks differ by at most ${ppm(bounds.clockRate)}.`,
    `The service reads its clock in steps of at most ${bounds.clockResolutionMs} ms.`,
    `A limiter that counts in whole seconds may hold a request ${bounds.granularityMs / 1_000} s longer.`,
    `Corrections of this machine’s clock are at most ${bounds.clockStepMs} ms and ${ppm(bounds.clockSlew)}.`,
    ...(plan.unannouncedSeed === undefined
      ? []
      : [`The run did not announce itself (--unannounced ${plan.unannouncedSeed}).`]),
  ].join(' ');
}

function ppm(fraction: number): string {
  return `${Math.round(fraction * 1e6)} ppm`;
}
