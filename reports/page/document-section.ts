import { limitIdOf } from '../../contract/clauses/promised-limit.ts';
import { countedText } from '../../contract/document/counted-requests.ts';
import { type Document, limitTextOf, partsOf } from '../../contract/document/document.ts';
import { type Statement, statementsByTitle } from '../../contract/statements.ts';
import type { ClauseResult } from '../clause-result.ts';
import { plainText } from '../plain-text.ts';
import type { Report } from '../result.ts';
import { evidenceOf, verdictTone, verdictWord } from '../verdict-text.ts';
import { type Html, html, nothing } from './html.ts';

/**
 * Every statement of the document, with its clauses and their verdicts, or the reason why it has none; of a document that
 * is no prose, its limits.
 */
export function documentSection({ clauses, deployment: { document } }: Report): Html {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]));
  const statements = statementsByTitle.get(document.title);
  return statements === undefined ? limitsSection(document, byId) : statementsSection(statements, byId);
}

type ById = ReadonlyMap<string, ClauseResult>;

function limitsSection(document: Document, byId: ById): Html {
  const { title, scopes } = document;
  return html`<section id="document" aria-labelledby="document-title"><h2 id="document-title">The document: ${title}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Limits of the document"><table>
<thead><tr><th>scope</th><th>promised</th><th>counts</th><th>clause</th></tr></thead>
<tbody>${Object.entries(scopes).map(
    ([scope, one]) => html`<tr><td>${scope}</td><td>${limitTextOf(document, scope)}, on ${one.title}</td>
<td>${countedText(one)}</td><td>${partsOf(document, scope).map(({ name }) => {
      const id = limitIdOf(scope, name);
      return clauseLink(id, byId.get(id));
    })}</td></tr>`,
  )}</tbody></table></div></section>`;
}

function statementsSection(statements: readonly Statement[], byId: ById): Html {
  const covered = statements.filter((statement) => 'clauses' in statement).length;
  return html`<section id="document" aria-labelledby="document-title"><h2 id="document-title">The document, statement by statement</h2>
<p>${statements.length} statements: clauses judge or observe ${covered}; ${statements.length - covered} are left out, each with its reason.</p>
<details class="fold"><summary>Show all statements</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Statements of the document"><table>
<thead><tr><th>section</th><th>says</th><th>clauses</th></tr></thead>
<tbody>${statements.map(
    (
      statement,
      at,
    ) => html`<tr><td>${statement.section === statements[at - 1]?.section ? '' : statement.section}</td>
<td>${statement.says}</td><td>${
      'clauses' in statement
        ? statement.clauses.map((id) => clauseLink(id, byId.get(id)))
        : html`<span class="quiet">not judged: ${statement.excluded}</span>`
    }</td></tr>`,
  )}</tbody></table></div></details></section>`;
}

function clauseLink(id: string, clause: ClauseResult | undefined): Html {
  // Webhooks are judged by runs of their own.
  if (clause === undefined)
    return html`<div><code>${id}</code> <span class="quiet">not in this run</span></div>`;
  const tone = verdictTone(clause);
  return html`<div><a href="#clause-${id}">${id}</a> <span class="tone-${tone}">${verdictWord(clause)}</span></div>`;
}

/** What the deployment does in cases that the document does not mention. */
export function observedSection({ clauses }: Report): Html {
  const observed = clauses.filter(({ verdict }) => verdict.kind === 'observed');
  if (observed.length === 0) return nothing;
  return html`<section id="observed" aria-labelledby="observed-title"><h2 id="observed-title">Observed where the document is silent</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Observations"><table><thead><tr><th>question</th><th>answer</th></tr></thead><tbody>${observed.map(
    ({ id, title, verdict }) => html`<tr><td><a href="#clause-${id}">${title}</a></td>
<td>${plainText(evidenceOf(verdict), 600)}</td></tr>`,
  )}</tbody></table></div></section>`;
}
