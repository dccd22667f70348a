import type { BurstPicture, Quantiles, Returns, Timeline } from '../../contract/pictures.ts';
import { limiterText } from '../limiter-text.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { windowText } from '../terminal/measures.ts';
import { type Html, html, nothing } from './html.ts';

/** The pictures: each key and scope over time, how capacity returns, and the bursts. */
export function picturesSection(report: Report): Html {
  const { timelines, timelinesLeftOut, returns, bursts } = report.pictures;
  if (timelines.length === 0) {
    return html`<section id="pictures" aria-labelledby="pictures-title"><h2 id="pictures-title">Pictures</h2>
<p class="quiet">No request with a valid key was sent: there is nothing to draw.</p></section>`;
  }
  const groups = timelines.map((timeline, at) => ({
    timeline,
    place: { at, returned: returns.findIndex((one) => isSame(one, timeline)) },
    isShown: isFilled(timeline) && (returns.length === 0 || returns.some((one) => isSame(one, timeline))),
  }));
  const filled = groups.filter(({ isShown }) => isShown);
  const others = groups.filter(({ isShown }) => !isShown);
  return html`<section id="pictures" aria-labelledby="pictures-title"><h2 id="pictures-title">Pictures</h2>
<p class="quiet">Drag across a picture to look closer, or use its buttons; with the arrow keys you go from request to request.</p>
${filled.map(({ timeline, place }) => groupFigures(report, timeline, place))}
${bursts.length === 0 ? nothing : burstFigures(bursts)}
${
  others.length === 0
    ? nothing
    : html`<details class="fold"><summary>The ${others.length} other ${others.length === 1 ? 'key and scope' : 'keys and scopes'}</summary>${others.map(
        ({ timeline, place }) => groupFigures(report, timeline, place),
      )}</details>`
}
${timelinesLeftOut === 0 ? nothing : html`<p class="quiet">${count(timelinesLeftOut)} more keys and scopes are not drawn.</p>`}
</section>`;
}

/** Fewer requests than the limit show little. */
function isFilled({ marks, limit }: Timeline): boolean {
  return marks.outcome.length >= limit;
}

type Group = { readonly scope: string; readonly key: string };

function isSame(left: Group, right: Group): boolean {
  return left.scope === right.scope && left.key === right.key;
}

function groupName({ scope, key }: Group): string {
  return `${scope}, key ${plainText(key, 20)}`;
}

type Place = { readonly at: number; readonly returned: number };

function groupFigures(report: Report, timeline: Timeline, { at, returned }: Place): Html {
  const measured = report.groups.find((group) => isSame(group, timeline));
  const found = report.identified.find((group) => isSame(group, timeline));
  const returns = report.pictures.returns[returned];
  const counts =
    measured === undefined ? '' : `${count(measured.admitted)} admitted, ${count(measured.limited)} limited`;
  const window = measured === undefined ? '' : `window ${windowText(measured.windowMs)}`;
  const said = [`limit ${timeline.limit}`, counts, window, found === undefined ? '' : limiterText(found)];
  return html`<section class="group" aria-label="${groupName(timeline)}"><header><h3>${groupName(timeline)}</h3>
<span class="quiet">${plainText(said.filter((part) => part !== '').join(' · '), 400)}</span></header>
<div class="charts">${inWindowFigure(timeline, at)}
${remainingFigure(timeline, at)}
${resetFigure(timeline, at)}
${returns === undefined ? nothing : returnsFigure(returns, returned)}</div></section>`;
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

const outcomeKeys = html`<li class="of-admitted">admitted</li><li class="of-limited">limited (429)</li>`;

function inWindowFigure(timeline: Timeline, at: number): Html {
  const { limit, over, inWindow, rejectionsCount } = timeline;
  const most = inWindow.certain.reduce((top, value) => Math.max(top, value), 0);
  const what = rejectionsCount ? 'Requests, rejected ones too,' : 'Requests';
  const overText =
    over.certain.length === 0
      ? `surely at most ${count(most)} at once, the limit is ${count(limit)}`
      : `surely ${count(Math.max(...over.certain))} at once where the limit is ${count(limit)}: shaded`;
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

function remainingFigure({ marks }: Timeline, at: number): Html {
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
          off === 0 ? 'All lie within it.' : `${count(off)} of ${count(values)} lie outside.`
        }`;
  return figure({
    chart: 'remaining',
    at,
    title: 'Remaining',
    caption,
    keys: html`<ul class="keys"><li class="of-band">implied</li>${outcomeKeys}</ul>`,
  });
}

function resetFigure({ marks }: Timeline, at: number): Html {
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

function returnsFigure({ limit, windowMs, models }: Returns, at: number): Html {
  const identified = models.filter(({ isIdentified }) => isIdentified).map(({ algorithm }) => algorithm);
  const bold =
    identified.length === 0 ? 'none of them was identified' : `identified: ${identified.join(' or ')}`;
  return figure({
    chart: 'returns',
    at,
    title: 'How capacity returns',
    caption: `Admitted since the first refusal, beside limiters of ${count(limit)} in ${windowMs / 1_000} s that were asked the same requests; ${bold}.`,
    keys: html`<ul class="keys"><li class="of-admitted">observed</li><li class="line">other limiters</li></ul>`,
    size: 'wide',
  });
}

function burstFigures(bursts: readonly BurstPicture[]): Html {
  return html`<section class="group" aria-label="Load"><header><h3>Load</h3><span class="quiet">sent by k6</span></header>
<div class="charts">${bursts.map((burst, at) =>
    figure({
      chart: 'burst',
      at,
      title: plainText(burst.scenario, 60),
      caption: burstCaption(burst),
      keys: html`<ul class="keys">${outcomeKeys}</ul>`,
    }),
  )}</div></section>`;
}

function burstCaption({ sent, arrivalMs, latencyMs }: BurstPicture): string {
  const shown = [quantilesText('200s', latencyMs.admitted), quantilesText('429s', latencyMs.limited)];
  const when = arrivalMs === 0 ? 'at once' : `within ${milliseconds(arrivalMs)}`;
  return `${count(sent)} sent ${when}. ${shown.filter((text) => text !== '').join('; ')}.`;
}

function quantilesText(what: string, quantiles: Quantiles | null): string {
  if (quantiles === null) return '';
  const { p50, p99, max } = quantiles;
  return `${count(quantiles.count)} ${what} in ${milliseconds(p50)} (median), ${milliseconds(p99)} (p99), ${milliseconds(max)} at most`;
}

function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms).toLocaleString('en')} ms`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
