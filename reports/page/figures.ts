import type { BurstPicture, Quantiles, Returns, Timeline } from '../../contract/pictures.ts';
import { grouped, milliseconds } from '../../contract/quantities.ts';
import { plainText } from '../plain-text.ts';
import { type Html, html, nothing } from './html.ts';

const outcomeKeys = html`<li class="of-admitted">admitted</li><li class="of-limited">limited (429)</li>`;

/** How full the window was over time. */
export function inWindowFigure(timeline: Timeline, at: number): Html {
  const { limit, over, inWindow, rejectionsCount } = timeline;
  const most = inWindow.certain.reduce((top, value) => Math.max(top, value), 0);
  const what = rejectionsCount ? 'Requests, rejected ones too,' : 'Requests';
  const overText =
    over.certain.length === 0
      ? `surely at most ${grouped(most)} at once, the limit is ${grouped(limit)}`
      : `surely ${grouped(Math.max(...over.certain))} at once where the limit is ${grouped(limit)}: shaded`;
  return figure({
    chart: 'in-window',
    at,
    title: 'The rolling window',
    caption: `${what} in the trailing window: ${overText}. The band is what the client cannot know: when between sending and answer each was counted.${sampledText(timeline)}`,
    keys: html`<ul class="keys"><li class="of-band">at least to at most</li><li class="line">limit</li>${outcomeKeys}${
      over.certain.length === 0 ? nothing : html`<li class="of-over">more than the limit</li>`
    }</ul>`,
    size: 'wide',
  });
}

function sampledText({ exchangesPerMark }: Timeline): string {
  return exchangesPerMark === 1
    ? ''
    : ` Each mark stands for up to ${exchangesPerMark} consecutive requests of one outcome, and shows the one that fits worst.`;
}

/** `Remaining` as reported, on what the trace implies. */
export function remainingFigure({ marks }: Timeline, at: number): Html {
  const values = marks.remaining.filter((value) => value !== null).length;
  const off = marks.remaining.filter((value, row) => {
    const low = marks.remainingLow[row] ?? null;
    const high = marks.remainingHigh[row] ?? null;
    return value !== null && low !== null && high !== null && (value < low || value > high);
  }).length;
  const caption =
    values === 0
      ? 'No answer carried the header.'
      : `As reported, against what the requests sent so far leave. ${
          off === 0 ? 'All lie within it.' : `${grouped(off)} of ${grouped(values)} lie outside.`
        }`;
  return figure({
    chart: 'remaining',
    at,
    title: 'Remaining',
    caption,
    keys: html`<ul class="keys"><li class="of-band">implied</li>${outcomeKeys}</ul>`,
  });
}

/** How far ahead `Reset` lay. */
export function resetFigure({ marks }: Timeline, at: number): Html {
  const values = marks.resetAheadSeconds.filter((value) => value !== null).length;
  return figure({
    chart: 'reset',
    at,
    title: 'Reset',
    caption:
      values === 0
        ? 'No answer carried the header.'
        : 'How far ahead the reported moment lies, against when the oldest and the newest request leave the window.',
    keys: html`<ul class="keys"><li class="line">first back, all back</li>${outcomeKeys}</ul>`,
  });
}

/** How capacity came back, beside other limiters. */
export function returnsFigure({ limit, windowMs, models }: Returns, at: number): Html {
  const identified = models.filter(({ isIdentified }) => isIdentified).map(({ algorithm }) => algorithm);
  const bold =
    identified.length === 0 ? 'none of them was identified' : `identified: ${identified.join(' or ')}`;
  return figure({
    chart: 'returns',
    at,
    title: 'How capacity returns',
    caption: `Admitted since the first refusal, beside limiters of ${grouped(limit)} in ${windowMs / 1_000} s that were asked the same requests; ${bold}.`,
    keys: html`<ul class="keys"><li class="of-admitted">observed</li><li class="line">other limiters</li></ul>`,
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
<div class="tools" hidden><button type="button" data-zoom="in">Closer</button><button type="button" data-zoom="out">Wider</button>
<button type="button" data-zoom="all">All</button><output aria-live="polite"></output></div></figure>`;
}

function burstCaption({ sent, arrivalMs, latencyMs }: BurstPicture): string {
  const shown = [quantilesText('200s', latencyMs.admitted), quantilesText('429s', latencyMs.limited)];
  const when = arrivalMs === 0 ? 'at once' : `within ${milliseconds(arrivalMs)}`;
  return `${grouped(sent)} sent ${when}. ${shown.filter((text) => text !== '').join('; ')}.`;
}

function quantilesText(what: string, quantiles: Quantiles | null): string {
  if (quantiles === null) return '';
  const { p50, p99, max } = quantiles;
  return `${grouped(quantiles.count)} ${what} in ${milliseconds(p50)} (median), ${milliseconds(p99)} (p99), ${milliseconds(max)} at most`;
}
