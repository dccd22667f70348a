import { Command } from 'commander';
import { z } from 'zod';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { countedText } from '../../contract/document/counted-requests.ts';
import {
  type Document,
  documentSchema,
  limitTextOf,
  perSecondOf,
  scopesOf,
} from '../../contract/document/document.ts';
import { tableLines } from '../../reports/terminal/table.ts';
import { loadWithPlaces, type PlacedDocument } from '../../run/document/document-file.ts';
import { remarksOn } from '../../run/document/remarks.ts';
import { runCosts } from '../../run/document/run-costs.ts';
import type { CommandIo } from './command-io.ts';
import { documentFromOpenApiCommand } from './document-from-openapi.ts';
import { documentInitCommand } from './document-init.ts';

/** `conformance document`: what an API promises, as a file that every command takes by --document. */
export function documentCommand(io: CommandIo): Command {
  const command = new Command('document').description('work on a document of your own: what an API promises');
  command
    .command('check')
    .description('say what a document promises, what is wrong with it, and what a run will leave open')
    .argument('<file>', 'the document, as YAML or JSON')
    .action(async (file: string) => {
      io.stdout.write(`${checkedLines(await loadWithPlaces(file, io.cwd)).join('\n')}\n`);
      io.exit(0);
    });
  command
    .command('schema')
    .description('write the JSON Schema of documents, for editors, to standard output')
    .action(() => {
      const schema = z.toJSONSchema(documentSchema, { io: 'input' });
      io.stdout.write(`${JSON.stringify({ ...schema, title: 'Document of an API’s limits' }, null, 2)}\n`);
      io.exit(0);
    });
  return command.addCommand(documentInitCommand(io)).addCommand(documentFromOpenApiCommand(io));
}

function checkedLines({ document, shown, placeOf, todos }: PlacedDocument): readonly string[] {
  const costs = runCosts(document);
  const rows = scopesOf(document).map((name) => {
    const said = document.scopes[name] as Document['scopes'][string];
    const { request } = said;
    const perSecond = perSecondOf(document, name);
    const cost = costs.find(({ scope }) => scope === name);
    return [
      name,
      `${limitTextOf(document, name)}${perSecond === null ? '' : `, ${perSecond} a second`}`,
      countedText(said),
      request === undefined ? 'not shown' : `${request.method} ${request.path}`,
      ...(cost === undefined ? ['', ''] : [`${cost.requestsMax}`, `${cost.seconds} s`]),
    ];
  });
  const decided = clausesOf(document).filter(({ level }) => level === 'must').length;
  const head = ['scope', 'limit', 'counts', 'request', 'sends at most', 'takes about'];
  return [
    `${document.title}: nothing wrong; ${decided === 1 ? '1 clause decides' : `${decided} clauses decide`} (conformance clauses --document FILE lists them)`,
    ...tableLines([head, ...rows]).map((line) => `  ${line}`),
    ...todos.map(({ line, column, text }) => `todo  ${shown}:${line}:${column}  ${text}`),
    ...remarksOn(document).map(({ path, text }) => {
      const { line, column } = placeOf(path);
      return `note  ${shown}:${line}:${column}  ${text}`;
    }),
  ];
}
