import { Command } from 'commander';
import { z } from 'zod';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { type Document, documentSchema, limitTextOf, perSecondOf } from '../../contract/document/document.ts';
import { tableLines } from '../../reports/terminal/layout.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { remarksOn } from '../../run/document/remarks.ts';
import type { CommandIo } from './command-io.ts';

/** `conformance document`: what an API promises, as a file that every command takes by --document. */
export function documentCommand(io: CommandIo): Command {
  const command = new Command('document').description('work on a document of your own: what an API promises');
  command
    .command('check')
    .description('say what a document promises, what is wrong with it, and what a run will leave open')
    .argument('<file>', 'the document, as YAML or JSON')
    .action(async (file: string) => {
      const document = await loadDocument(file, io.cwd);
      io.stdout.write(`${checkedLines(document).join('\n')}\n`);
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
  return command;
}

function checkedLines(document: Document): readonly string[] {
  const rows = Object.entries(document.scopes).map(([name, { paths, request }]) => {
    const perSecond = perSecondOf(document, name);
    return [
      name,
      `${limitTextOf(document, name)}${perSecond === null ? '' : `, ${perSecond} a second`}`,
      paths === undefined ? 'all other paths' : paths.join(', '),
      request === undefined ? 'not shown' : `${request.method} ${request.path}`,
    ];
  });
  const decided = clausesOf(document).filter(({ level }) => level === 'must').length;
  return [
    `${document.title}: nothing wrong; ${decided} clauses decide (conformance clauses --document FILE lists them)`,
    ...tableLines([['scope', 'limit', 'paths', 'request'], ...rows]).map((line) => `  ${line}`),
    ...remarksOn(document).map((remark) => `note  ${remark}`),
  ];
}
