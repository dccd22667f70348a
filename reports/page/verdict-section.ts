import { sendsKeys } from '../../contract/deployment.ts';
import { keylessScopesOf } from '../../contract/document/counted-by.ts';
import { grouped, howMany, seconds } from '../../contract/quantities.ts';
import { foldedChanges } from '../history/folded-changes.ts';
import { remarks } from '../limitations.ts';
import { baselineText, incompleteText, outcomeText, outcomeTones, type Tone } from '../outcome.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { countsText } from '../terminal/verdict-line.ts';
import { type Html, html, nothing } from './html.ts';

/** The verdict with its target, time, duration and version, and the reasons why it is no better. */
export function verdictSection(report: Report): Html {
  const { outcome, deployment } = report;
  const tone = outcomeTones[outcome];
  const name = deployment.name === undefined ? nothing : html`<b>${plainText(deployment.name, 80)}</b> at `;
  return html`<section class="verdict" id="verdict" aria-labelledby="verdict-word">
<p class="of">${name}${plainText(deployment.baseUrls.join(', '), 300)}</p>
<h1 id="verdict-word" class="tone-${tone}">${signOf(tone)}${outcomeText(report)}</h1>
<p class="counts">${countsText(report)}${knownText(report)}</p>
${sinceSection(report)}
${noticeList(report)}
<dl class="facts">${factsOf(report).map(([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>`)}</dl>
</section>`;
}

function knownText({ baseline }: Report): string {
  const known = baseline?.known.length ?? 0;
  return known === 0
    ? ''
    : `; ${known} of the violations ${known === 1 ? 'is' : 'are'} accepted by the baseline`;
}

/** What changed since the last comparable run. */
function sinceSection({ sinceLast }: Report): Html {
  if (sinceLast === null) return nothing;
  const when = utcText(sinceLast.startedAt);
  if (sinceLast.changes.length === 0)
    return html`<p class="quiet">Nothing changed since the run of ${when}.</p>`;
  const { shown, folded } = foldedChanges(sinceLast.changes);
  return html`<div class="since"><p>Changed since the run of ${when}:</p>
${changeList(shown)}${
  folded.length === 0
    ? nothing
    : html`<details class="fold"><summary>${howMany(folded.length, 'more change')}</summary>${changeList(folded)}</details>`
}</div>`;
}

function changeList(changes: readonly string[]): Html {
  return html`<ul class="changes">${changes.map((change) => html`<li>${plainText(change, 300)}</li>`)}</ul>`;
}

function noticeList(report: Report): Html {
  const { outcome, outcomeReasons, incompleteReason, baseline } = report;
  const errors = outcome === 'error' ? outcomeReasons : (baseline?.problems ?? []).map(baselineText);
  const others = new Set([
    ...(incompleteReason === null ? [] : [incompleteText(incompleteReason)]),
    ...(outcome === 'inconclusive' ? outcomeReasons : []),
    ...remarks(report),
  ]);
  if (errors.length + others.size === 0) return nothing;
  return html`<ul class="notices">
${errors.map((text) => html`<li class="bad">${sentence(text)}</li>`)}
${[...others].map((text) => html`<li>${sentence(text)}</li>`)}
</ul>`;
}

function sentence(text: string): string {
  const plain = plainText(text, 600);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

function factsOf(report: Report): readonly (readonly [string, string])[] {
  const { startedAt, durationSeconds, window, mode, runId, tool, groups, plan } = report;
  const sent = groups.reduce((sum, group) => sum + group.sent, 0);
  return [
    ['Started', utcText(startedAt)],
    ['Duration', seconds(durationSeconds * 1_000, 1)],
    ['Window', `${window.ms / 1_000} s${window.isDocumented ? ', as documented' : ''}`],
    [
      sendsKeys(report.deployment) && keylessScopesOf(report.deployment.document).length === 0
        ? 'Requests with a key'
        : 'Requests',
      `${grouped(sent)}${plan.requestsMax === 0 ? '' : ` of at most ${grouped(plan.requestsMax)} planned`}`,
    ],
    ['Mode', mode],
    ['Keys', keysText(report)],
    ['Run', plainText(runId, 60)],
    ['Tested by', plainText(`${tool.name} ${tool.version}`, 100)],
  ];
}

/** A trace that another program wrote may have a thousand. */
const keysNamedMax = 10;

function keysText({ keys, deployment }: Report): string {
  if (!sendsKeys(deployment)) return 'none is sent: A is this client';
  // Of a key that came from a file or another program no variable is known.
  const named = keys
    .slice(0, keysNamedMax)
    .map(({ alias, env }) => (env === '' ? plainText(alias, 20) : `${alias} (${env})`));
  const more = keys.length > keysNamedMax ? ` and ${grouped(keys.length - keysNamedMax)} more` : '';
  const without = keylessScopesOf(deployment.document);
  const there = without.length === 0 ? '' : `; none is sent at ${without.join(', ')}: there A is this client`;
  return keys.length === 0 ? 'none' : `${named.join(', ')}${more}${there}`;
}

const signs: Readonly<Record<Tone, string>> = {
  good: 'M6.6 12.4l3.6 3.6 7.2-7.8',
  bad: 'M7.8 7.8l8.4 8.4M16.2 7.8l-8.4 8.4',
  open: 'M12 6.6v6.2M12 16.6v.6',
  quiet: 'M7.5 12h9',
};

/** A sign in the colour of a tone. The word next to it says the same. */
function signOf(tone: Tone): Html {
  return html`<svg class="sign tone-${tone}" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"
fill="currentColor"/><path d="${signs[tone]}" fill="none" stroke="var(--paper)" stroke-width="2.4" stroke-linecap="round"
stroke-linejoin="round"/></svg>`;
}

/** `2026-11-21T14:17:35.028Z` as people write it; text that is no time is left as it is. */
export function utcText(iso: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return plainText(iso, 40);
  const month = months[moment.getUTCMonth()];
  return `${moment.getUTCDate()} ${month} ${moment.getUTCFullYear()}, ${moment.toISOString().slice(11, 19)} UTC`;
}

/** By hand: the first moment that Node itself writes in a language costs it 25 ms. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];
