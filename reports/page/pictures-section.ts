import { isRollingBound, limitTextOf } from '../../contract/document/document.ts';
import type { BurstPicture, Timeline } from '../../contract/pictures.ts';
import { grouped } from '../../contract/quantities.ts';
import { groupName, moreGroups } from '../group-name.ts';
import { leftOutText, limiterText, measuredWindowText } from '../measured-text.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { burstFigure, inWindowFigure, remainingFigure, resetFigure, returnsFigure } from './figures.ts';
import { type Html, html, nothing } from './html.ts';

/** The pictures: each key and scope over time, how capacity returns, and the bursts. */
export function picturesSection(report: Report): Html {
  const { timelines, timelinesLeftOut, returns, bursts } = report.pictures;
  const moreLimiters = leftOutText(report);
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
<p class="quiet">Drag across a picture to zoom in, or use its buttons. The arrow keys go from request to request.</p>
${filled.map(({ timeline, place }) => groupFigures(report, timeline, place))}
${bursts.length === 0 ? nothing : burstFigures(bursts)}
${
  others.length === 0
    ? nothing
    : html`<details class="fold"><summary>${moreGroups(others.length)}</summary>${others.map(
        ({ timeline, place }) => groupFigures(report, timeline, place),
      )}</details>`
}
${timelinesLeftOut === 0 ? nothing : html`<p class="quiet">Not drawn: ${moreGroups(timelinesLeftOut)}.</p>`}
${moreLimiters === null ? nothing : html`<p class="quiet">${moreLimiters}</p>`}
</section>`;
}

/** A timeline with fewer requests than the limit shows little. */
function isFilled({ marks, limit }: Timeline): boolean {
  return marks.outcome.length >= limit;
}

type Group = { readonly scope: string; readonly key: string };

function isSame(left: Group, right: Group): boolean {
  return left.scope === right.scope && left.key === right.key;
}

type Place = { readonly at: number; readonly returned: number };

/** What is promised of a scope where it is not a bound on any rolling window. */
function otherKindText({ deployment: { document } }: Report, { scope }: Timeline): string | null {
  return document.scopes[scope] === undefined || isRollingBound(document, scope)
    ? null
    : limitTextOf(document, scope);
}

function groupFigures(report: Report, timeline: Timeline, { at, returned }: Place): Html {
  const measured = report.groups.find((group) => isSame(group, timeline));
  const found = report.identified.find((group) => isSame(group, timeline));
  const returns = report.pictures.returns[returned];
  const counts =
    measured === undefined
      ? ''
      : `${grouped(measured.admitted)} admitted, ${grouped(measured.limited)} limited`;
  const window = measured === undefined ? '' : `window ${measuredWindowText(measured, report.identified)}`;
  const said = [`limit ${timeline.limit}`, counts, window, found === undefined ? '' : limiterText(found)];
  return html`<section class="group" aria-label="${groupName(timeline)}"><header><h3>${groupName(timeline)}</h3>
<span class="quiet">${plainText(said.filter((part) => part !== '').join(' · '), 400)}</span></header>
<div class="charts">${inWindowFigure(timeline, at, otherKindText(report, timeline))}
${remainingFigure(timeline, at)}
${resetFigure(timeline, at)}
${returns === undefined ? nothing : returnsFigure(returns, returned)}</div></section>`;
}

function burstFigures(bursts: readonly BurstPicture[]): Html {
  return html`<section class="group" aria-label="Load"><header><h3>Load</h3><span class="quiet">sent by k6</span></header>
<div class="charts">${bursts.map(burstFigure)}</div></section>`;
}
