import { grouped } from '../../contract/quantities.ts';
import { limitations } from '../limitations.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { countsText } from '../terminal/verdict-line.ts';
import { type Html, html, nothing } from './html.ts';
import { outcomeTones, outcomeWords, signOf } from './tone.ts';

/** The verdict, on what, when, for how long and by what version; and whatever keeps it from being a better one. */
export function verdictSection(report: Report): Html {
  const { outcome, deployment } = report;
  const tone = outcomeTones[outcome];
  const name = deployment.name === undefined ? nothing : html`<b>${plainText(deployment.name, 80)}</b> at `;
  return html`<section class="verdict" id="verdict" aria-labelledby="verdict-word">
<p class="of">${name}${plainText(deployment.baseUrls.join(', '), 300)}</p>
<h1 id="verdict-word" class="tone-${tone}">${signOf(tone)}${outcomeWords[outcome]}</h1>
<p class="counts">${countsText(report)}${knownText(report)}</p>
${sinceSection(report)}
${noticeList(report)}
<dl class="facts">${factsOf(report).map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>
</section>`;
}

function knownText({ baseline }: Report): string {
  const known = baseline?.known.length ?? 0;
  return known === 0 ? '' : `; ${known} of the violations ${known === 1 ? 'is' : 'are'} known and borne`;
}

/** What changed since the last comparable run. */
function sinceSection({ sinceLast }: Report): Html {
  if (sinceLast === null) return nothing;
  const when = utcText(sinceLast.startedAt);
  if (sinceLast.changes.length === 0)
    return html`<p class="quiet">Nothing changed since the run of ${when}.</p>`;
  return html`<div class="since"><p>Changed since the run of ${when}:</p>
<ul class="changes">${sinceLast.changes.map((change) => html`<li>${plainText(change, 300)}</li>`)}</ul></div>`;
}

function noticeList(report: Report): Html {
  const { outcome, outcomeReasons, incompleteReason } = report;
  const errors = outcomeReasons.filter((reason) => outcome === 'error' || reason.startsWith('baseline: '));
  const others = [
    ...(incompleteReason === null ? [] : [`The run is incomplete: ${incompleteReason}`]),
    ...(outcome === 'inconclusive'
      ? outcomeReasons.filter((reason) => !reason.startsWith('the run is incomplete'))
      : []),
    ...limitations(report),
  ];
  if (errors.length + others.length === 0) return nothing;
  return html`<ul class="notices">
${errors.map((text) => html`<li class="bad">${sentence(text)}</li>`)}
${others.map((text) => html`<li>${sentence(text)}</li>`)}
</ul>`;
}

function sentence(text: string): string {
  const plain = plainText(text, 600);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function factsOf(report: Report): readonly (readonly [string, string])[] {
  const { startedAt, durationSeconds, window, mode, keys, runId, tool, groups, plan } = report;
  const sent = groups.reduce((sum, group) => sum + group.sent, 0);
  return [
    ['When', utcText(startedAt)],
    ['How long', `${durationSeconds.toFixed(1)} s`],
    ['Window', `${window.ms / 1_000} s${window.isDocumented ? ', as documented' : ''}`],
    [
      'Requests with a key',
      `${grouped(sent)}${plan.requestsMax === 0 ? '' : ` of at most ${grouped(plan.requestsMax)} planned`}`,
    ],
    ['Mode', mode],
    ['Keys', keys.length === 0 ? 'none' : keys.map(({ alias, env }) => `${alias} (${env})`).join(', ')],
    ['Run', plainText(runId, 60)],
    ['Tested by', plainText(`${tool.name} ${tool.version}`, 100)],
  ];
}

/** `2026-11-21T14:17:35.028Z` as people write it; what is no moment is left as it is. */
export function utcText(iso: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return plainText(iso, 40);
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return `${format.format(moment)} UTC`;
}
