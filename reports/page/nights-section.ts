import { howMany, howManyAre } from '../../contract/quantities.ts';
import { outcomeTones, outcomeWords } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import { type Html, html, nothing } from './html.ts';
import type { Nights } from './nights.ts';
import { utcText } from './verdict-section.ts';

/** Runs in the table; the picture shows more. */
const rowsMax = 14;

/** What changed from run to run, and when: pictures, and the newest runs as a table. */
export function nightsSection(nights: Nights | null): Html {
  if (nights === null) return nothing;
  const { runs, changes, leftOut, series } = nights;
  const older = leftOut === 0 ? '' : ` ${howManyAre(leftOut, 'older one')} left out.`;
  const rows = runs
    .map((run, at) => ({ run, at }))
    .slice(-rowsMax)
    .reverse();
  return html`<section id="history" aria-labelledby="history-title"><h2 id="history-title">History</h2>
<p class="quiet">${howMany(runs.length, 'run')} that can be compared.${older} ${changes.length === 0 ? 'Nothing changed: noise explains all differences.' : ''}</p>
${
  changes.length === 0
    ? nothing
    : html`<ul class="changes">${changes.map(
        ({ at, text }) => html`<li><b>${utcText(runs[at]?.startedAt ?? '')}</b> ${plainText(text, 300)}</li>`,
      )}</ul>`
}
${
  series.length === 0
    ? nothing
    : html`<figure class="wide"><figcaption><h4>Measured windows</h4><p>Each bar shows the lengths of window that explain one run. If one
length lies in all bars, nothing has changed. A vertical line marks a change.</p></figcaption>
<div class="plot" data-chart="nights" role="img" aria-label="Measured windows from run to run; changes are listed above, and the table below has the verdicts."></div></figure>
<figure class="wide"><figcaption><h4>Latency</h4><p>The median of each run.</p></figcaption>
<div class="plot" data-chart="night-latency" role="img" aria-label="Median latency from run to run."></div></figure>`
}
<div class="scroll" tabindex="0" role="region" aria-label="Runs"><table><thead><tr><th>began</th><th>run</th><th>verdict</th><th>violated</th></tr></thead>
<tbody>${rows.map(
    ({
      run,
    }) => html`<tr><td>${utcText(run.startedAt)}</td><td class="mono">${plainText(run.runId, 30)}${run.isThis ? ' (this one)' : ''}</td>
<td class="tone-${outcomeTones[run.outcome]}">${outcomeWords[run.outcome]}</td><td>${plainText(run.violated.join(', '), 300)}</td></tr>`,
  )}</tbody></table></div></section>`;
}
