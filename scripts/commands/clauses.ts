import { Command } from 'commander';
import type { Clause } from '../../contract/clause.ts';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { clauses } from '../../contract/clauses/registry.ts';
import { clientClauses } from '../../contract/clients/clauses.ts';
import type { Document } from '../../contract/document/document.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { webhookClauses } from '../../contract/webhooks/clauses.ts';
import { columnsMin, labelled } from '../../reports/terminal/layout.ts';
import { tableLines } from '../../reports/terminal/table.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import type { CommandIo } from './command-io.ts';

/** `conformance clauses`: what the document promises, clause by clause. */
export function clausesCommand(io: CommandIo): Command {
  return new Command('clauses')
    .description('list the clauses, or explain one')
    .argument('[id]', 'id of a clause')
    .option('--document <file>', 'those of this document, as YAML or JSON (default: the messaging document)')
    .option('--json', 'write the clauses, or the one, as JSON to standard output')
    .action(async (id: string | undefined, { json, document }: ClausesFlags) => {
      const groups = document === undefined ? ofMessaging : groupsOf(await loadDocument(document, io.cwd));
      if (json === true) {
        const value = id === undefined ? groups.flatMap(clausesIn) : findIn(groups, id);
        io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
        io.exit(0);
        return;
      }
      const lines = id === undefined ? listed(groups) : explained(known(groups, id), io.stdout.columns ?? 80);
      io.stdout.write(`${lines.join('\n')}\n`);
      io.exit(0);
    });
}

type ClausesFlags = { readonly json?: true; readonly document?: string };

type Group = {
  /** Whom they bind. */
  readonly binds: 'deployment' | 'clients' | 'webhooks';
  readonly of: string;
  readonly clauses: readonly Clause[];
};

/** Those of another document: it says nothing of clients and webhooks. */
function groupsOf(document: Document): readonly Group[] {
  return [{ binds: 'deployment', of: '', clauses: clausesOf(document) }];
}

/** The clauses that bind a deployment, its clients, and its webhooks. */
const ofMessaging: readonly Group[] = [
  { binds: 'deployment', of: '', clauses },
  { binds: 'clients', of: ', of clients (conformance clients)', clauses: clientClauses },
  { binds: 'webhooks', of: ', of webhooks (conformance webhooks capture)', clauses: webhookClauses },
];

/** A clause for other programs. */
function clausesIn({ binds, clauses: own }: Group) {
  return own.map((clause) => ({ binds, ...clause }));
}

function findIn(groups: readonly Group[], id: string) {
  const clause = known(groups, id);
  return groups.flatMap(clausesIn).find((one) => one.id === clause.id);
}

function known(groups: readonly Group[], id: string): Clause {
  const all = groups.flatMap((group) => group.clauses);
  const clause = all.find((one) => one.id === id);
  if (clause !== undefined) return clause;
  const ids = all.map((one) => one.id);
  throw new UsageError(`There is no clause "${id}"${didYouMean(id, ids)} "conformance clauses" lists all.`);
}

function listed(groups: readonly Group[]): readonly string[] {
  const parts = groups.flatMap((group) => {
    const sections = [...new Set(group.clauses.map(({ section }) => section))];
    return sections.map((section) => ({
      head: `${section}${group.of}`,
      rows: group.clauses
        .filter((clause) => clause.section === section)
        .map(({ id, level, title }) => [id, level, title]),
    }));
  });
  return parts.flatMap(({ head, rows }, at) => [
    ...(at === 0 ? [] : ['']),
    head,
    ...tableLines(rows, { widths: [27, 8, 43] }).map((line) => `  ${line}`),
  ]);
}

const needs: Readonly<Record<Clause['needs'], string>> = {
  'any-request': 'any request',
  saturation: 'a scope that is filled up to its limit',
  'second-key': 'a second API key',
  subpath: 'a request below /v1/messages in the settings',
  load: 'k6',
  'refused-client': 'a client that is refused (conformance clients)',
  webhook:
    'deliveries to a receiver of this program, from "webhooks capture" or a run of the embedded service',
};

const levels: Readonly<Record<Clause['level'], string>> = {
  must: 'must: decides conformance',
  should: 'should: a violation is a shortcoming and decides nothing',
  observe: 'observe: the document does not say it; what is found is reported',
};

function explained(clause: Clause, columns: number): readonly string[] {
  const rows: readonly (readonly [string, string])[] = [
    ['section', clause.section],
    ['level', levels[clause.level]],
    ['requires', clause.requirement],
    ['judged', clause.judged],
    ['violated', clause.violation],
    ['needs', needs[clause.needs]],
    ...(clause.dependsOn.length === 0
      ? []
      : [['open if', `violated: ${clause.dependsOn.join(', ')}`] as const]),
  ];
  return [
    `${clause.id}: ${clause.title}`,
    ...rows.flatMap(([label, text]) =>
      labelled(label, text, { columns: Math.max(columnsMin, columns), indent: 2, labelWidth: 8 }),
    ),
  ];
}
