import { limiterName } from '../../contract/limiter-words.ts';
import type { BurstPicture, Quantiles, Returns, Timeline } from '../../contract/pictures.ts';
import { grouped, milliseconds } from '../../contract/quantities.ts';
import { plainText } from '../plain-text.ts';
import { type Html, html, nothing } from './html.ts';

const outcomeKeys = html`<li class="of-admitted">admitted</li><li class="of-limited">refused over the limit</li>`;

/**
 * How full the window was over time.
 * @param otherKind What is promised in place of a rolling window, in words.
 */
export function inWindowFigure(timeline: Timeline, at: number, otherKind: string | null): Html {
  const { limit, over, inWindow, rejectionsCount } = timeline;
  const most = inWindow.certain.reduce((top, value) => Math.max(top, value), 0);
  const what = rejectionsCount ? 'Requests, with rejected ones,' : 'Requests';
  const overText =
    over.certain.length === 0
      ? `certainly at most ${grouped(most)} at any time; the limit is ${grouped(limit)}`
      : `certainly ${grouped(Math.max(...over.certain))} at one time, above the limit of ${grouped(limit)} (shaded)`;
  const kindText =
    otherKind === null ? '' : ` The document promises ${otherKind}: more than the line may be allowed.`;
  return figure({
    chart: 'in-window',
    at,
    title: 'The rolling window',
    caption: `${what} in the rolling window: ${overText}. The band is what the client cannot know: the service counted each request at some moment between sending and answer.${kindText}${sampledText(timeline)}`,
    keys: html`<ul class="keys"><li class="of-band">between at least and at most</li><li class="line">limit</li>${outcomeKeys}${
      over.certain.length === 0 ? nothing : html`<li class="of-over">more than the limit</li>`
    }</ul>`,
    size: 'wide',
  });
}

function sampledText({ exchangesPerMark }: Timeline): string {
  return exchangesPerMark === 1
    ? ''
    : ` Each mark is up to ${exchangesPerMark} consecutive requests with one outcome, and shows the one that fits worst.`;
}

/** The reported `Remaining`, against the values that are possible by the trace. */
export function remainingFigure({ marks }: Timeline, at: number): Html {
  const values = marks.remaining.filter((value) => value !== null).length;
  if (values === 0) return absentFigure('Remaining');
  const off = marks.remaining.filter((value, row) => {
    const low = marks.remainingLow[row] ?? null;
    const high = marks.remainingHigh[row] ?? null;
    return value !== null && low !== null && high !== null && (value < low || value > high);
  }).length;
  const offText =
    off === 0
      ? 'All reported values are possible.'
      : `${grouped(off)} of ${grouped(values)} ${off === 1 ? 'is' : 'are'} not possible.`;
  return figure({
    chart: 'remaining',
    at,
    title: 'Remaining',
    caption: `The reported values, and the values that are possible after the requests so far. ${offText}`,
    keys: html`<ul class="keys"><li class="of-band">possible</li>${outcomeKeys}</ul>`,
  });
}

/** How far ahead `Reset` lay. */
export function resetFigure({ marks }: Timeline, at: number): Html {
  if (marks.resetAheadSeconds.every((seconds) => seconds === null)) return absentFigure('Reset');
  return figure({
    chart: 'reset',
    at,
    title: 'Reset',
    caption:
      'How far ahead the reported time is. The lines show when the oldest and the newest request leave the window.',
    keys: html`<ul class="keys"><li class="line">oldest leaves, newest leaves</li>${outcomeKeys}</ul>`,
  });
}

/** In place of a picture of a header that no answer has. */
function absentFigure(title: string): Html {
  return html`<figure class="narrow"><figcaption><h4>${title}</h4><p>No answer has this header.</p></figcaption></figure>`;
}

/** How capacity came back, compared with simulated limiters. */
export function returnsFigure({ limit, windowMs, models }: Returns, at: number): Html {
  const identified = models
    .filter(({ isIdentified }) => isIdentified)
    .map(({ algorithm }) => limiterName(algorithm));
  const bold =
    identified.length === 0 ? 'None of them was identified' : `Identified: ${identified.join(' or ')}`;
  return figure({
    chart: 'returns',
    at,
    title: 'How capacity returns',
    caption: `Requests admitted since the first refusal. The thin lines are simulated limiters of ${grouped(limit)} in ${windowMs / 1_000} s with the same requests. ${bold}.`,
    keys: html`<ul class="keys"><li class="of-admitted">observed</li><li class="line">simulated limiters</li></ul>`,
    size: 'wide',
  });
}

/** How long the answers of one load scenario took. */
export function burstFigure(burst: BurstPicture, at: number): Html {
  return figure({
    chart: 'burst',
    at,
    title: plainText(burst.scenario, 60),
    caption: burstCaption(burst),
    keys: html`<ul class="keys">${outcomeKeys}</ul>`,
  });
}

type FigureParts = {
  readonly chart: 'in-window' | 'remaining' | 'reset' | 'returns' | 'burst';
  readonly at: number;
  readonly title: string;
  readonly caption: string;
  readonly keys: Html;
  readonly size?: 'wide';
};

function figure({ chart, at, title, caption, keys, size }: FigureParts): Html {
  return html`<figure class="${size ?? 'narrow'}"><figcaption><h4>${title}</h4><p>${caption}</p></figcaption>${keys}
<div class="plot" data-chart="${chart}" data-at="${at}" tabindex="0" role="group" aria-label="${title}. ${caption}"></div>
<div class="tools" hidden><button type="button" data-zoom="in">Zoom in</button><button type="button" data-zoom="out">Zoom out</button>
<button type="button" data-zoom="all">Show all</button><output aria-live="polite"></output></div></figure>`;
}

function burstCaption({ sent, arrivalMs, latencyMs }: BurstPicture): string {
  const shown = [quantilesText('admitted', latencyMs.admitted), quantilesText('limited', latencyMs.limited)];
  const when = arrivalMs === 0 ? 'at once' : `within ${milliseconds(arrivalMs)}`;
  return `${grouped(sent)} sent ${when}. ${shown.filter((text) => text !== '').join('; ')}.`;
}

function quantilesText(what: string, quantiles: Quantiles | null): string {
  if (quantiles === null) return '';
  const { p50, p99, max } = quantiles;
  return `${grouped(quantiles.count)} ${what}: median ${milliseconds(p50)}, p99 ${milliseconds(p99)}, at most ${milliseconds(max)}`;
}
