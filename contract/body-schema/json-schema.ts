/** A schema as JSON has it: `true` takes every value, `false` none. */
export type JsonSchema = boolean | JsonSchemaObject;

export type JsonSchemaObject = { readonly [keyword: string]: unknown };

/** The drafts that a document may use: their names in sentences, and in `$schema`. */
export const drafts = {
  '2020-12': { name: 'draft 2020-12', uri: 'https://json-schema.org/draft/2020-12/schema' },
  '7': { name: 'draft-07', uri: 'http://json-schema.org/draft-07/schema' },
} as const;

export type Draft = keyof typeof drafts;

/** The draft that `$schema` names, the newest where it is left out; `null` for another one. */
export function draftOf({ $schema = drafts['2020-12'].uri }: JsonSchemaObject): Draft | null {
  const uri = String($schema).replace(/#$/, '');
  const known = Object.entries(drafts).find(([, draft]) => draft.uri === uri);
  return (known?.[0] as Draft | undefined) ?? null;
}

/** A schema that can be asked. */
export type AskedSchema = {
  readonly draft: Draft;
  readonly schema: JsonSchema;
  /** What each text of a `$ref` in it stands for. */
  readonly references: Readonly<Record<string, JsonSchema>>;
};
