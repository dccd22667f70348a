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
    case 'array': {
      const items = typeText(schema.items ?? {}, named, depth);
      return schema.items?.enum === undefined && schema.items?.anyOf === undefined
        ? `${items}[]`
        : `(${items})[]`;
    }
    case 'object':
      return schema.properties === undefined
        ? `Record<string, ${typeText(schema.additionalProperties as Described, named, depth)}>`
        : objectText(schema, named, depth);
    default:
      // JSON of any kind.
      return 'unknown';
  }
}

/** On one line where it fits; else its members have a line each, and one that fits none a line for each of its fields. */
function unionText(members: readonly Described[], named: Named, depth: number): string {
  const whole = members.map((one) => typeText(one, named, linesDepthMax)).join(' | ');
  if (isLine(whole)) return whole;
  const indent = `\n${'  '.repeat(depth + 1)}`;
  const texts = members.map((one) => {
    const text = typeText(one, named, linesDepthMax);
    return isLine(text) ? text : typeText(one, named, depth + 2);
  });
  return texts.map((text) => `${indent}| ${text}`).join('');
}

/** The longest text of a field, or of a member of a union, that stands on one line. */
const lineMax = 110;

function isLine(text: string): boolean {
  return text.length <= lineMax && !text.includes('\n');
}

/** So deep a field has a line of its own; what is deeper shares one where it fits. */
const linesDepthMax = 2;

function objectText(schema: Described, named: Named, depth: number): string {
  const text = `{ ${fieldTexts(schema, named, depth).join('; ')} }`;
  return depth < linesDepthMax || !isLine(text) ? linesText(schema, named, depth) : text;
}

function fieldTexts(
  { properties = {}, required = [] }: Described,
  named: Named,
  depth: number,
): readonly string[] {
  return Object.entries(properties).map(([name, field]) =>
    `${name}${required.includes(name) ? '' : '?'}: ${typeText(field, named, depth + 1)}`.replace(
      /: \n/,
      ':\n',
    ),
  );
}

function linesText(schema: Described, named: Named, depth: number): string {
  const fields = fieldTexts(schema, named, depth);
  const indent = '  '.repeat(depth + 1);
  return `{\n${fields.map((field) => `${indent}${field};\n`).join('')}${'  '.repeat(depth)}}`;
}
