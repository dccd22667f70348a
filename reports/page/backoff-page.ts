import { seconds } from '../../contract/quantities.ts';
import { plainText } from '../plain-text.ts';
import type { Frontier } from './frontier.ts';
import { type Html, html, nothing } from './html.ts';
import { frontierOf, noPictures } from './page-data.ts';
import { type PageAssets, renderShell } from './shell.ts';

export type BackoffPageInput = {
  readonly title: string;
  readonly frontier: Frontier;
  /** Code that a user can copy, each with the library that it is for. */
  readonly configurations: readonly { readonly name: string; readonly code: string }[];
};

/** The result of tuning as one self-contained page: the chart, its table, and configuration to copy. */
export function renderBackoffPage(input: BackoffPageInput, assets: PageAssets): string {
  const { title, frontier, configurations } = input;
  const body = html`<main>
<div class="verdict"><h1>${title}</h1><p class="counts">${frontier.setting}</p></div>
${frontierSection(frontier)}
${configurations.length === 0 ? nothing : html`<h2>Ready to use</h2>${configurations.map(configuration)}`}
</main>`;
  return renderShell({ title, body, data: { frontier, ...noPictures } }, assets);
}

/** The chart of all strategies, and the same as a table. */
export function frontierSection(frontier: Frontier): Html {
  const best = new Set(frontierOf(frontier.strategies));
  return html`<figure class="wide">
<figcaption><p>Each dot is one way to retry. Further left, all jobs are done sooner; further down, fewer requests are
refused. The line joins the strategies that no other one beats in both.</p></figcaption>
<div class="plot" data-chart="frontier" role="img" aria-label="Time until all jobs are done, against refused requests; the table below has the figures."></div>
</figure>
<div class="scroll" tabindex="0" role="region" aria-label="Ways to retry"><table>
<thead><tr><th>strategy</th><th>parameters</th><th class="number">all done after</th><th class="number">time ÷ least possible</th>
<th class="number">refused per job</th><th></th></tr></thead>
<tbody>${frontier.strategies.map((one) => strategyRow(one, { frontier, isBest: best.has(one) }))}</tbody>
</table></div>`;
}

type Row = { readonly frontier: Frontier; readonly isBest: boolean };

function strategyRow(
  { name, parameters, makespanSeconds, wasted, role }: Frontier['strategies'][number],
  { frontier, isBest }: Row,
): Html {
  const bound = frontier.lowerBoundSeconds;
  const said = [
    ...(role === 'recommended' ? ['recommended'] : []),
    ...(role === 'today' ? ['in use today'] : []),
    ...(isBest ? ['no other beats it in both'] : []),
  ];
  return html`<tr><td>${plainText(name, 80)}</td><td class="mono">${plainText(parameters, 200)}</td>
<td class="number">${seconds(makespanSeconds.value * 1_000, 1)}</td>
<td class="number">${bound > 0 ? `× ${(makespanSeconds.value / bound).toFixed(3)}` : ''}</td>
<td class="number">${(wasted.value * 100).toFixed(1)} %</td><td>${said.join(', ')}</td></tr>`;
}

function configuration({ name, code }: BackoffPageInput['configurations'][number]): Html {
  return html`<h3>${plainText(name, 80)}</h3>
<div class="command"><pre tabindex="0">${code}</pre><button type="button" data-copy>Copy</button></div>`;
}
