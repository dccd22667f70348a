import type { JsonSchemaObject } from '../../contract/body-schema/json-schema.ts';
import { keywords } from '../../contract/body-schema/keywords.ts';
import { fitOf, placeText } from '../../contract/body-schema/misfit.ts';
import { readSchema } from '../../contract/body-schema/read-schema.ts';
import { valueAt } from '../../contract/json-pointer.ts';
import { type WaitUnit, waitRules } from '../../contract/wait-units.ts';
import { listOf, type Node, nodeOf, type OpenApi } from './openapi.ts';
import { type DescribedWait, waitIn } from './openapi-wait.ts';

/** The schema of the bodies of refusals, as a document takes it. */
export type DescribedBody = {
  readonly schema: JsonSchemaObject;
  /** The example that stands beside it, where it has one that fits. */
  readonly example: unknown;
  /** Where it seems to say how long to wait. */
  readonly wait: DescribedWait | null;
  /** What a person has to see to. */
  readonly todo: string | undefined;
};

/** What the answers that refuse say of their JSON bodies; why nothing is taken, where something stands there. */
export type FoundBody =
  | { readonly kind: 'body'; readonly body: DescribedBody }
  | { readonly kind: 'none'; readonly why: string | null };

/** The JSON body of the first of these answers that describes one. */
export function bodyOfAnswers(api: OpenApi, answers: readonly Node[]): FoundBody {
  const described = answers.flatMap((answer) => jsonOf(api, answer));
  const [first, ...others] = described.map(({ schema, example }) => ({
    ...schemaAlone(api, schema),
    example,
  }));
  if (first === undefined) return { kind: 'none', why: null };
  const read = readSchema(first.schema);
  if (read.kind === 'flawed') {
    const [flaw] = read.flaws;
    return { kind: 'none', why: `${flaw?.path.join('.') ?? ''} ${flaw?.message ?? ''}`.trim() };
  }
  const example = [first, ...others].find((one) => one.example !== undefined)?.example;
  const named = waitIn(read.asked);
  const fit = example === undefined ? { kind: 'fits' as const } : fitOf(example, read.asked);
  const wait = named !== null && fit.kind === 'fits' && isKeptBy(named, example) ? named : null;
  const todos = [
    ...(others.some(({ schema }) => JSON.stringify(schema) !== JSON.stringify(first.schema))
      ? ['other answers that refuse have another schema: which one is promised?']
      : []),
    ...(first.elsewhere > 0
      ? [
          `${first.elsewhere === 1 ? '1 reference of the schema leads' : `${first.elsewhere} references of the schema lead`} to other files, or to nothing: anything fits there`,
        ]
      : []),
    ...(wait === null
      ? []
      : [`${wait.pointer} is taken for the wait by its name: is it, and in ${unitTexts[wait.unit]}?`]),
    ...(fit.kind === 'misfit'
      ? [`its example is left out, since it does not fit its schema: ${placeText(fit.place)} ${fit.words}`]
      : []),
  ];
  return {
    kind: 'body',
    body: {
      schema: first.schema,
      example: fit.kind === 'fits' ? example : undefined,
      wait,
      todo: todos.length === 0 ? undefined : todos.join('; '),
    },
  };
}

/** Whether an example has a wait there, where there is one. */
function isKeptBy({ pointer, unit }: DescribedWait, example: unknown): boolean {
  return example === undefined || (waitRules[unit].read(valueAt(pointer, example)) ?? 0) > 0;
}

const unitTexts = {
  'whole-seconds': 'whole seconds',
  seconds: 'seconds',
  ms: 'milliseconds',
} as const satisfies Record<WaitUnit, string>;

type Described = { readonly schema: unknown; readonly example: unknown };

const jsonType = /^application\/([\w.+-]+\+)?json\b/i;

/** The schema of an answer's JSON body, and its example: in the content of OpenAPI 3, or beside the answer in Swagger 2. */
function jsonOf({ resolved }: OpenApi, answer: Node): readonly Described[] {
  const { schema, examples } = answer;
  if (schema !== undefined) {
    const [, example] = Object.entries(nodeOf(examples)).find(([type]) => jsonType.test(type)) ?? [];
    return [{ schema, example }];
  }
  const [, media] = Object.entries(nodeOf(answer['content'])).find(([type]) => jsonType.test(type)) ?? [];
  const { schema: own, example, examples: several } = nodeOf(media);
  if (own === undefined) return [];
  const [named] = Object.values(nodeOf(several));
  return [{ schema: own, example: example ?? resolved(named)['value'] }];
}

/** How a schema is made one that stands alone. */
type Making = {
  readonly api: OpenApi;
  /** Before 3.1, OpenAPI had keywords of its own, and ignored what stands beside a reference. */
  readonly isOld: boolean;
  /** Names under `$defs`, by the references that lead there. */
  readonly names: Map<string, string>;
  readonly defs: Map<string, unknown>;
  elsewhere: number;
};

function schemaAlone(
  api: OpenApi,
  schema: unknown,
): { readonly schema: JsonSchemaObject; readonly elsewhere: number } {
  const making: Making = {
    ...{ api, isOld: !/ 3\.[1-9]/.test(api.version), names: new Map(), defs: new Map() },
    elsewhere: 0,
  };
  const whole = nodeOf(alone(schema, making));
  const own = making.defs.size === 0 ? {} : { $defs: Object.fromEntries(making.defs) };
  return { schema: { ...whole, ...own }, elsewhere: making.elsewhere };
}

/** A schema in which every reference leads to `$defs`, and only keywords of JSON Schema stand. */
function alone(value: unknown, making: Making): unknown {
  if (typeof value === 'boolean') return value;
  const node = nodeOf(value);
  const { $ref: reference } = node;
  const referred = typeof reference === 'string' ? { $ref: referenceTo(reference, making) } : {};
  if (referred.$ref === null) return {};
  if (referred.$ref !== undefined && making.isOld) return referred;
  return { ...keywordsOf(making.isOld ? modern(node) : withExamples(node), making), ...referred };
}

function keywordsOf(node: Node, making: Making): Node {
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, held]) => {
      const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined;
      if (keyword === undefined || ['$ref', '$id', '$schema', '$defs', 'definitions'].includes(name))
        return [];
      if (typeof held === 'string') return [[name, held.replaceAll(/\s+/g, ' ').trim()] as const];
      if (keyword.holds === undefined) return [[name, held] as const];
      return [[name, partsAlone(keyword.holds.startsWith('by-name'), held, making)] as const];
    }),
  );
}

function partsAlone(isByName: boolean, held: unknown, making: Making): unknown {
  if (Array.isArray(held)) return held.map((one) => alone(one, making));
  if (!isByName) return alone(held, making);
  return Object.fromEntries(
    Object.entries(nodeOf(held)).map(([name, one]) => [name, Array.isArray(one) ? one : alone(one, making)]),
  );
}

/** The reference under `$defs` to what another one leads to in this file; `null` where it leads elsewhere, or nowhere. */
function referenceTo(reference: string, making: Making): string | null {
  const target = making.api.resolved({ $ref: reference });
  if (!reference.startsWith('#/') || Object.keys(target).length === 0) {
    making.elsewhere += 1;
    return null;
  }
  const known = making.names.get(reference);
  if (known !== undefined) return `#/$defs/${known}`;
  const wanted = (reference.split('/').at(-1) ?? '').replaceAll(/[^\w.-]+/g, '-') || 'schema';
  const taken = new Set(making.names.values());
  const name = Array.from({ length: taken.size + 1 }, (_, at) =>
    at === 0 ? wanted : `${wanted}-${at + 1}`,
  ).find((one) => !taken.has(one)) as string;
  making.names.set(reference, name);
  making.defs.set(name, alone(target, making));
  return `#/$defs/${name}`;
}

/** A schema of OpenAPI 3.0 or Swagger 2 by the keywords of draft 2020-12. */
function modern(node: Node): Node {
  const {
    nullable,
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    type,
    enum: values,
    ...rest
  } = node;
  const isNullable = nullable === true && typeof type === 'string';
  return withExamples({
    ...rest,
    ...(type === undefined ? {} : { type: isNullable ? [type, 'null'] : type }),
    ...(values === undefined ? {} : { enum: isNullable ? [...new Set([...listOf(values), null])] : values }),
    ...bound({ minimum }, { exclusiveMinimum }),
    ...bound({ maximum }, { exclusiveMaximum }),
    ...requiredInAnswers(node),
  });
}

/** A bound was exclusive by a word beside it. */
function bound(inclusive: Node, exclusive: Node): Node {
  const [[, value] = []] = Object.entries(inclusive);
  const [[name = '', isExclusive] = []] = Object.entries(exclusive);
  if (value === undefined) return {};
  return isExclusive === true ? { [name]: value } : inclusive;
}

/** What is only written is required of requests alone (OpenAPI 3.0, Schema Object). */
function requiredInAnswers({ required, properties }: Node): Node {
  if (!Array.isArray(required)) return {};
  const members = nodeOf(properties);
  return { required: required.filter((name) => nodeOf(members[String(name)])['writeOnly'] !== true) };
}

function withExamples({ example, ...node }: Node): Node {
  return example === undefined || node['examples'] !== undefined ? node : { ...node, examples: [example] };
}
