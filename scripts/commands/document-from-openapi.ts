import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { plainText } from '../../reports/plain-text.ts';
import { readDocument } from '../../run/document/document-file.ts';
import { draftText, todosIn } from '../../run/document/draft.ts';
import { refuseExisting, writeNewDocument } from '../../run/document/new-file.ts';
import { openApiOf } from '../../run/document/openapi.ts';
import { draftFromOpenApi, type FromOpenApi } from '../../run/document/openapi-draft.ts';
import { gathered } from '../../run/document/openapi-files.ts';
import { shownPath } from '../../run/shown-path.ts';
import type { CommandIo } from './command-io.ts';

/** `conformance document from-openapi`: drafts a document from a description of an API; sends nothing. */
export function documentFromOpenApiCommand(io: CommandIo): Command {
  return new Command('from-openapi')
    .description('draft a document from a description by OpenAPI 3 or Swagger 2, and say what it lacks')
    .argument('<file>', 'the description, as YAML or JSON')
    .option('--out <file>', 'where it goes; a file that is there is never written over', 'document.yaml')
    .action(async (file: string, { out }: { readonly out: string }) => {
      const path = resolve(io.cwd, out);
      await refuseExisting(path, io.cwd);
      const described = resolve(io.cwd, file);
      const text = await readFile(described, 'utf8').catch((error: unknown) => {
        throw new UsageError(`${file} cannot be read: ${messageOf(error)}.`);
      });
      const api = openApiOf(await gathered(text, file, described), file);
      const from = draftFromOpenApi(api, basename(file));
      const drafted = draftText(from.draft);
      await writeNewDocument(path, drafted);
      io.stdout.write(`${writtenLines(from, { drafted, shown: shownPath(path, io.cwd) }).join('\n')}\n`);
      io.exit(0);
    });
}

/** What is to do at several places stands once, at the first of them. */
function todoLines(drafted: string, shown: string): readonly string[] {
  const byText = Map.groupBy(todosIn(drafted), ({ text }) => text);
  return [...byText].map(([text, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `todo    ${shown}:${first?.line}${more}  ${text}`;
  });
}

/** Longer than what is said of several paths. */
const whatMax = 1_000;

function writtenLines(
  { missing, baseUrl, keyHeaders }: FromOpenApi,
  { drafted, shown }: { readonly drafted: string; readonly shown: string },
): readonly string[] {
  const read = readDocument(drafted);
  const empty = read.kind === 'document' ? [] : read.flaws;
  const flags = [
    `--url ${baseUrl ?? 'URL'} --key-env KEY_A,KEY_B`,
    ...(baseUrl === null ? [] : [`--allow-host ${new URL(baseUrl).hostname}`]),
    ...keyHeaders.map((name) => `--header-env ${name}=VARIABLE`),
    `--document ${shown}`,
  ].join(' ');
  return [
    `wrote   ${shown}`,
    ...missing.map(({ what, lookedIn }) => `missing ${plainText(what, whatMax)}; looked in: ${lookedIn}`),
    ...todoLines(drafted, shown),
    ...empty.map(({ line, text }) => `empty   ${shown}:${line}  ${text}: no command takes it before`),
    `next    npm run conformance -- document check ${shown}`,
    `        npm run conformance -- plan ${flags}`,
  ];
}
