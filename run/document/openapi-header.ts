import { listOf, type Node, nodeOf, type OpenApi } from './openapi.ts';

/** What a description says of one header of an answer. */
export type HeaderSaid = {
  /** As the description writes it. */
  readonly name: string;
  /** Its types by its schema: "integer", "string". */
  readonly types: readonly string[];
  readonly format: string | null;
  /** Values as they may be, as texts. */
  readonly examples: readonly string[];
  readonly description: string;
  readonly isRequired: boolean;
};

/** The headers that an answer defines; in Swagger 2 their types stand beside them. */
export function headersIn({ resolved }: OpenApi, answer: Node): readonly HeaderSaid[] {
  return Object.entries(nodeOf(answer['headers'])).map(([name, value]) => {
    const node = resolved(value);
    const schema = { ...node, ...resolved(node['schema']) };
    return {
      name,
      types: [schema['type']].flat().filter((type) => typeof type === 'string'),
      format: typeof schema['format'] === 'string' ? schema['format'] : null,
      examples: examplesOf(node, schema),
      description: [node, resolved(node['schema'])]
        .map(({ description }) => (typeof description === 'string' ? description : ''))
        .join(' '),
      isRequired: node['required'] === true,
    };
  });
}

function examplesOf(node: Node, schema: Node): readonly string[] {
  const named = Object.values(nodeOf(node['examples'])).map((one) => nodeOf(one)['value']);
  const all = [
    node['example'],
    node['x-example'],
    ...named,
    schema['example'],
    ...listOf(schema['examples']),
  ];
  return all.filter((one) => typeof one === 'string' || typeof one === 'number').map(String);
}
