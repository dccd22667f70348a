import { sendsKeys } from '../contract/deployment.ts';
import { perSecondOf, scopesOf } from '../contract/document/document.ts';
import type { Report } from './result.ts';

type Held = Report['deployment'];

/** The readings of the document and the bounds that the verdicts rest on, as a paragraph. */
export function premisesText({ deployment, bounds, plan }: Report): string {
  return [
    usersText(deployment),
    ...perSecondTexts(deployment),
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

/** Who else may send requests that are counted with those of the run. */
function usersText(deployment: Held): string {
  const { exclusiveKeys } = deployment;
  if (!sendsKeys(deployment))
    return `No key was sent: key A is this client. The verdicts assume that ${exclusiveKeys ? 'nobody else asks' : 'others may ask'} from its address.`;
  return `The verdicts assume that the keys ${exclusiveKeys ? 'have no other user' : 'may have other users'}.`;
}

/** How the document's figures by the second are read; nothing where it has none. */
function perSecondTexts({ document, perSecond }: Held): readonly string[] {
  const figures = scopesOf(document).flatMap((scope) => {
    const figure = perSecondOf(document, scope);
    return figure === null ? [] : [`${figure} of ${scope}`];
  });
  if (figures.length === 0) return [];
  const reading = {
    average: 'averages of the limits (perSecond: average)',
    cap: 'limits of their own (perSecond: cap)',
    unset:
      'averages of the limits, unless only a limit per second explains the answers (perSecond is not set)',
  }[perSecond ?? 'unset'];
  return [`Figures by the second (${figures.join(', ')}) are ${reading}.`];
}

function ppm(fraction: number): string {
  return `${Math.round(fraction * 1e6)} ppm`;
}
