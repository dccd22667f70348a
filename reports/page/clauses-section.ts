import { clauseIn } from '../../contract/clauses/of-document.ts';
import type { Document } from '../../contract/document/document.ts';
import { statementsByTitle } from '../../contract/statements.ts';
import type { ClauseResult } from '../clause-result.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { evidenceOf, verdictTone, verdictWord } from '../verdict-text.ts';
import { type Html, html, nothing } from './html.ts';

/** A fault of the reference service, on purpose: the judges are tested with it. */
export type ProvingFault = {
  readonly name: string;
  readonly summary: string;
  /** Clauses that it violates in every complete run. */
  readonly clauses: readonly string[];
};

const evidenceCharactersMax = 1_200;

/** All clauses, with a filter and a search: how each is judged, and what proves that judge. */
export function clausesSection(
  { clauses, deployment: { document } }: Report,
  faults: readonly ProvingFault[],
): Html {
  const words = [...new Set(clauses.map(verdictWord))];
  return html`<section id="clauses" aria-labelledby="clauses-title"><h2 id="clauses-title">All clauses</h2>
<form class="filters" hidden data-filter="clauses" role="search" aria-label="Filter clauses">
<input type="search" name="text" placeholder="Search clauses" aria-label="Search clauses" autocomplete="off">
<select name="word" aria-label="Verdict"><option value="">any verdict</option>${words.map(
    (word) => html`<option>${word}</option>`,
  )}</select>
<select name="level" aria-label="Level"><option value="">any level</option><option>must</option><option>should</option><option>observe</option></select>
<output class="quiet" aria-live="polite"></output>
</form>
${clauses.map((clause) => clauseEntry(clause, document, faults))}</section>`;
}

function clauseEntry(clause: ClauseResult, document: Document, faults: readonly ProvingFault[]): Html {
  const { id, level, title, requirement, verdict } = clause;
  const word = verdictWord(clause);
  const said = plainText(evidenceOf(verdict), evidenceCharactersMax);
  const known = clauseIn(document, id);
  const proving = faults.filter((fault) => fault.clauses.includes(id));
  const text = [id, title, requirement, said, ...proving.map(({ name }) => name)].join(' ').toLowerCase();
  return html`<details class="clause" id="clause-${id}" data-word="${word}" data-level="${level}" data-text="${text}">
<summary><span class="word tone-${verdictTone(clause)}">${word}</span><span class="name"><b class="${startsWithField(title) ? 'field' : ''}">${title}</b><code>${id}</code></span>
<span class="said">${said}</span></summary>
<dl><dt>Level</dt><dd>${level}</dd><dt>Required</dt><dd>${requirement}</dd>
${verdict.kind === 'observed' ? html`<dt>Observed</dt><dd>${said}</dd>` : html`<dt>Found</dt><dd>${said}</dd>`}
${known === undefined ? nothing : html`<dt>Judged</dt><dd>${known.judged}</dd><dt>Violated by</dt><dd>${known.violation}</dd>`}
${proving.length === 0 ? nothing : html`<dt>Tested with</dt><dd>${proving.map(provedBy)}</dd>`}
${saidInDocument(document, id)}</dl></details>`;
}

function provedBy({ name, summary }: ProvingFault): Html {
  return html`<div><code>${name}</code> ${summary}</div>`;
}

function saidInDocument({ title }: Document, id: string): Html {
  const said = (statementsByTitle.get(title) ?? []).filter(
    (statement) => 'clauses' in statement && statement.clauses.some((clause) => clause === id),
  );
  if (said.length === 0) return nothing;
  return html`<dt>Document</dt><dd>${said.map(({ section, says }) => html`<div>${section}: ${says}</div>`)}</dd>`;
}

/** A field is spelt as it is, also where a title begins with it. */
function startsWithField(title: string): boolean {
  return /^[a-z]+[._]/.test(title);
}
