import { Command, Option } from 'commander';
import { tool } from '../../../run/version.ts';
import { asyncApiDocument, eventJsonSchema } from '../../../run/webhooks/event-schemas.ts';
import type { CommandIo } from '../command-io.ts';

const formats = {
  asyncapi: () => asyncApiDocument(tool.version),
  'json-schema': () => eventJsonSchema(),
} as const;

type SchemaFlags = { readonly format: keyof typeof formats };

/** `conformance webhooks schema`: what the events look like, for other tools. */
export function schemaCommand(io: CommandIo): Command {
  return new Command('schema')
    .description('write the events as AsyncAPI 3 or JSON Schema, to standard output')
    .addOption(
      new Option('--format <format>', 'what to write').choices(Object.keys(formats)).default('asyncapi'),
    )
    .action(({ format }: SchemaFlags) => {
      io.stdout.write(`${JSON.stringify(formats[format](), null, 2)}\n`);
      io.exit(0);
    });
}
