import { z } from 'zod';
import { deploymentSchema } from '../../contract/deployment.ts';
import { requestTemplateSchema } from '../../contract/request-template.ts';

/** The part of JSON Schema that settings are described by. */
type Described = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly $ref?: string;
};

/**
 * The type of a settings file as text of TypeScript that needs no import, made from the schema that reads the file: so it
 * is there for an editor in any repository.
 */
export function settingsType(): string {
  const request = described(requestTemplateSchema);
  const text = typeText(
    described(deploymentSchema),
    { request: JSON.stringify(withoutDefinitions(request)) },
    0,
  );
  return `type Settings = ${text};\n\ntype Request = ${typeText(request, { request: '' }, 0)};\n`;
}

function described(schema: z.ZodType): Described {
  return z.toJSONSchema(schema, { io: 'input' }) as Described;
}

/** What stands at the top of a schema alone. */
function withoutDefinitions(schema: Described): object {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !name.startsWith('$')));
}

/** What is called by a name of its own wherever it stands. */
type Named = { readonly request: string };

function typeText(schema: Described, named: Named, depth: number): string {
  if (JSON.stringify(schema) === named.request) return 'Request';
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${String(value)}'`).join(' | ');
  if (schema.anyOf !== undefined) return unionText(schema.anyOf, named, depth);
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `${typeText(schema.items ?? {}, named, depth)}[]`;
    case 'object':
      return schema.properties === undefined
        ? `Record<string, ${typeText(schema.additionalProperties as Described, named, depth)}>`
        : objectText(schema, named, depth);
    default:
      // JSON of any kind.
      return 'unknown';
  }
}

/** Its members fit a line each. */
function unionText(members: readonly Described[], named: Named, depth: number): string {
  const indent = `\n${'  '.repeat(depth + 1)}`;
  return members.map((one) => `${indent}| ${typeText(one, named, linesDepthMax)}`).join('');
}

/** So deep a field has a line of its own; what is deeper fits one. */
const linesDepthMax = 2;

function objectText({ properties = {}, required = [] }: Described, named: Named, depth: number): string {
  const fields = Object.entries(properties).map(([name, field]) =>
    `${name}${required.includes(name) ? '' : '?'}: ${typeText(field, named, depth + 1)}`.replace(
      /: \n/,
      ':\n',
    ),
  );
  if (depth >= linesDepthMax) return `{ ${fields.join('; ')} }`;
  const indent = '  '.repeat(depth + 1);
  return `{\n${fields.map((field) => `${indent}${field};\n`).join('')}${'  '.repeat(depth)}}`;
}
