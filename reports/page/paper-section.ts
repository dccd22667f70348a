import { howManyAre } from '../../contract/quantities.ts';
import type { ClauseResult } from '../clause-result.ts';
import { damageText } from '../damage-text.ts';
import { failureText } from '../failure-text.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { evidenceOf, verdictTone, verdictWord } from '../verdict-text.ts';
import { type Html, html, nothing } from './html.ts';

/** More than these would not leave the two pages that a person reads on paper. */
const breachesMax = 12;
const reasonsMax = 8;
const textCharactersMax = 240;

/**
 * What comes first on paper, and is not seen on a screen: what is violated in a few lines each, what is open, and the
 * verdict on every clause in a line. All else is the annex.
 */
export function paperSection(report: Report): Html {
  const accepted = new Set(report.baseline?.known.map(({ clause }) => clause));
  const breaches = report.clauses.filter(
    ({ id, verdict, level }) => verdict.kind === 'violated' && level === 'must' && !accepted.has(id),
  );
  return html`<section class="paper" aria-hidden="true">${breachList(breaches, report)}${openList(report)}
<h2>All clauses</h2><ul class="lines">${report.clauses.map(clauseLine)}</ul>
<p class="quiet">The annex has the evidence, the pictures, and each clause with its verdict in full.</p></section>`;
}

function breachList(breaches: readonly ClauseResult[], report: Report): Html {
  if (breaches.length === 0) return nothing;
  const more = breaches.length - breachesMax;
  return html`<h2>Violated</h2><ol>${breaches.slice(0, breachesMax).map((clause) => breach(clause, report))}</ol>${
    more > 0 ? html`<p>${more} more are in the annex.</p>` : nothing
  }`;
}

function breach(clause: ClauseResult, { deployment }: Report): Html {
  if (clause.verdict.kind !== 'violated') return nothing;
  const { title, consequence, fix } = failureText(clause, deployment.document);
  const worst = damageText(clause);
  const observed = plainText(clause.verdict.evidence.observed, textCharactersMax);
  return html`<li><b>${title}.</b> ${consequence ?? ''} Observed: ${observed}${worst === null ? '' : `; at worst ${worst}`}.${
    fix === undefined ? nothing : html` <i>To fix:</i> ${fix}`
  } <code>${clause.id}</code></li>`;
}

/** What is open, by why: clauses that are open for one reason have one line. */
function openList({ clauses }: Report): Html {
  const open = clauses.filter(
    ({ level, verdict }) =>
      level === 'must' && (verdict.kind === 'inconclusive' || verdict.kind === 'crashed'),
  );
  if (open.length === 0) return nothing;
  const byReason = [...Map.groupBy(open, ({ verdict }) => plainText(evidenceOf(verdict), textCharactersMax))];
  const more = byReason.length - reasonsMax;
  return html`<h2>Left open</h2><ul>${byReason
    .slice(0, reasonsMax)
    .map(([why, own]) => html`<li>${own.map(({ title }) => title).join(', ')}: ${why}</li>`)}</ul>${
    more > 0 ? html`<p>${howManyAre(more, 'more reason')} in the annex.</p>` : nothing
  }`;
}

function clauseLine(clause: ClauseResult): Html {
  return html`<li><b class="tone-${verdictTone(clause)}">${verdictWord(clause)}</b> ${clause.title}</li>`;
}
