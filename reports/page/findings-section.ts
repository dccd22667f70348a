import type { QuotedExchange } from '../../contract/verdict.ts';
import type { ClauseResult } from '../clause-result.ts';
import { damageText } from '../damage-text.ts';
import { headerText, offsetText, requestText, totalText } from '../exchange-text.ts';
import { failureText } from '../failure-text.ts';
import { plainText } from '../plain-text.ts';
import { type QuotedHeader, quotedHeaders } from '../quoted-headers.ts';
import type { Report } from '../result.ts';
import { evidenceOf } from '../verdict-text.ts';
import { type Html, html, nothing } from './html.ts';
import { repetitionOf, showsText } from './repetition.ts';

const textCharactersMax = 600;
const headerCharactersMax = 40;
const bodyCharactersMax = 320;

/** Violations, known deviations, shortcomings and open clauses, each with its evidence. */
export function findingsSections(report: Report): Html {
  const violated = report.clauses.filter(({ verdict }) => verdict.kind === 'violated');
  const accepted = new Set(report.baseline?.known.map(({ clause }) => clause));
  const known = violated.filter(({ id }) => accepted.has(id));
  const must = violated.filter(({ id, level }) => level === 'must' && !accepted.has(id));
  const others = violated.filter(({ id, level }) => level !== 'must' && !accepted.has(id));
  const open = report.clauses.filter(isOpen);
  return html`${findings('violated', 'Violated', must, report)}
${findings('known', 'Known deviations', known, report)}
${findings('shortcomings', 'Shortcomings', others, report)}
${open.length === 0 ? nothing : openSection(open)}`;
}

function isOpen({ level, verdict }: ClauseResult): boolean {
  return verdict.kind === 'crashed' || (level === 'must' && verdict.kind === 'inconclusive');
}

/** Whether there is a section of clauses that this run left open. */
export function isSomethingOpen(clauses: readonly ClauseResult[]): boolean {
  return clauses.some(isOpen);
}

function findings(id: string, title: string, clauses: readonly ClauseResult[], report: Report): Html {
  if (clauses.length === 0) return nothing;
  const lead = leads[id] === undefined ? nothing : html`<p class="quiet">${leads[id]}</p>`;
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${lead}
${clauses.map((clause) => finding(clause, report))}</section>`;
}

const leads: Readonly<Record<string, string>> = {
  shortcomings: 'The document only recommends these. They do not decide conformance.',
  known: 'Violated, but accepted by the baseline until the day that is given. They do not fail the run.',
};

function finding(clause: ClauseResult, report: Report): Html {
  const { verdict, level, certificate } = clause;
  if (verdict.kind !== 'violated') return nothing;
  const { expected, observed, exchanges, exchangesTotal } = verdict.evidence;
  const { title, consequence, fix } = failureText(clause, report.deployment.document);
  const worst = damageText(clause);
  return html`<article class="finding ${level === 'must' && knownDeviation(clause, report) === undefined ? 'violation' : 'shortcoming'}">
<header><h3>${title}</h3><a class="mono" href="#clause-${clause.id}">${clause.id}</a></header>
${consequence === undefined ? nothing : html`<p>${consequence}</p>`}
<p class="quiet">Required: ${clause.requirement}</p>
${acceptedText(clause, report)}
<dl class="against"><div><dt>Expected</dt><dd>${plainText(expected, textCharactersMax)}</dd></div>
<div class="observed"><dt>Observed</dt><dd>${plainText(observed, textCharactersMax)}</dd></div>
${worst === null ? nothing : html`<div class="observed worst"><dt>At worst</dt><dd>${worst}</dd></div>`}</dl>
${fix === undefined ? nothing : html`<p><b>To fix:</b> ${fix}</p>`}
${exchangeTable(exchanges, exchangesTotal, quotedHeaders(exchanges, report.deployment.document))}
${certificate === undefined ? nothing : html`<p class="quiet">The whole proof, for a program to check: <a class="mono" href="${certificate}">${certificate}</a></p>`}
${repetition(clause, report)}
</article>`;
}

/** Commands that show it again, or why none can. */
function repetition(clause: ClauseResult, report: Report): Html {
  const found = repetitionOf(clause, report);
  if (found === null) return nothing;
  if (found.kind === 'none')
    return html`<p class="quiet">No single command shows this again: it ${found.why}.</p>`;
  return html`<p class="quiet">To see it again, run this with a key that was idle for a window. It prints ${showsText(found.shows)}.</p>
<div class="command"><pre tabindex="0" aria-label="Commands that repeat it">${found.lines}</pre><button type="button" data-copy>Copy</button></div>`;
}

/** Why the baseline accepts a deviation, and until when. */
function acceptedText(clause: ClauseResult, report: Report): Html {
  const known = knownDeviation(clause, report);
  if (known === undefined) return nothing;
  return html`<p class="tone-open">Accepted until ${plainText(known.until, 20)}: ${plainText(known.reason, 300)}</p>`;
}

function knownDeviation({ id }: ClauseResult, { baseline }: Report) {
  return baseline?.known.find(({ clause }) => clause === id);
}

function exchangeTable(
  exchanges: readonly QuotedExchange[],
  total: number,
  headers: readonly QuotedHeader[],
): Html {
  if (exchanges.length === 0) return nothing;
  const shows = totalText(total);
  const some =
    exchanges.length < total ? `; here are the first, the last and ${exchanges.length - 2} between them` : '';
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Decisive exchanges"><table class="exchanges">
<caption class="unseen">${shows}${some}</caption>
<thead><tr>${['sent', 'answered', 'status', ...headers].map((name) => html`<th class="number">${name}</th>`)}<th>request id</th></tr></thead>
<tbody>${exchanges.map((exchange, at) => exchangeRows(exchange, exchanges[at - 1], headers))}</tbody></table></div>
<p class="quiet">${shows}${some}. Times are relative to the first.</p>`;
}

function exchangeRows(
  exchange: QuotedExchange,
  before: QuotedExchange | undefined,
  headers: readonly QuotedHeader[],
): Html {
  const { sentMs, receivedMs, status, requestId } = exchange;
  // A phone has no room for columns: there each cell stands behind its name.
  return html`<tr><td class="number" data-label="sent">${offsetText(sentMs)}</td>
<td class="number" data-label="answered">${receivedMs === null ? 'never' : offsetText(receivedMs)}</td>
<td class="number" data-label="status">${status ?? 'none'}</td>${headers.map(
    (name) =>
      html`<td class="number" data-label="${name}">${headerText(exchange, name, headerCharactersMax)}</td>`,
  )}<td class="mono">${plainText(requestId, 80)}</td></tr>${moreRow(exchange, before, headers.length + 4)}`;
}

/** What was sent and the error's body, where they differ from the row above. */
function moreRow(exchange: QuotedExchange, before: QuotedExchange | undefined, columns: number): Html {
  const sent = requestText(exchange);
  const { body } = exchange;
  const isNewBody = body !== null && body !== '' && body !== before?.body;
  const isNew = isNewBody || before === undefined || requestText(before) !== sent;
  if (!isNew) return nothing;
  return html`<tr class="more"><td colspan="${columns}">${sent}${
    isNewBody ? html`<br><code>${plainText(body, bodyCharactersMax)}</code>` : nothing
  }</td></tr>`;
}

function openSection(open: readonly ClauseResult[]): Html {
  return html`<section id="open" aria-labelledby="open-title"><h2 id="open-title">Left open</h2>
<p class="quiet">These clauses decide conformance, and this run could not judge them.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Clauses left open"><table><thead><tr><th>clause</th><th>why</th></tr></thead><tbody>${open.map(
    ({ id, title, verdict }) => html`<tr><td><a href="#clause-${id}">${title}</a></td>
<td>${verdict.kind === 'crashed' ? 'The judge crashed: ' : ''}${plainText(verdict.kind === 'inconclusive' ? verdict.reason : evidenceOf(verdict), textCharactersMax)}</td></tr>`,
  )}</tbody></table></div></section>`;
}
