import fc from 'fast-check';
import type { Document } from '../../contract/document/document.ts';
import type { Refusal } from '../../contract/document/refusal.ts';
import { promisedBody } from '../../contract/document/refusal-body.ts';

/** A schema of the bodies of refusals, and whether a wait stands in them; plain data. */
export type DrawnBody = {
  readonly schema: NonNullable<Refusal['bodySchema']>;
  readonly hasWait: boolean;
};

type Schema = DrawnBody['schema'];

const name = fc.constantFrom('code', 'title', 'error', 'list', 'more');
const scalar = fc.oneof(
  fc.integer({ min: -9, max: 99 }),
  fc.boolean(),
  fc.constant(null),
  fc.string({ maxLength: 6 }),
);

const { any } = fc.letrec<{ any: Schema; object: Schema }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ const: scalar }),
    fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
    fc.record({ type: fc.constantFrom('integer', 'number'), minimum: fc.integer({ min: -5, max: 5 }) }),
    fc.record({
      type: fc.constant('string'),
      minLength: fc.nat({ max: 30 }),
      maxLength: fc.integer({ min: 30, max: 60 }),
    }),
    fc.record({ type: fc.constantFrom('boolean', 'null') }),
    fc.record({ type: fc.constant('array'), items: tie('any'), minItems: fc.nat({ max: 2 }) }),
    fc.record({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: fc.constant({ type: 'array' }), type: fc.constantFrom('string', 'object') }),
    tie('object'),
  ),
  object: fc
    .record({
      properties: fc.dictionary(name, tie('any'), { maxKeys: 3 }),
      additionalProperties: fc.boolean(),
      isRequired: fc.boolean(),
    })
    .map(({ isRequired, ...schema }) => ({
      ...{ type: 'object', ...schema },
      ...(isRequired ? { required: Object.keys(schema.properties) } : {}),
    })),
}));

/** A body, or none, as most documents have it. */
export const drawnBody: fc.Arbitrary<DrawnBody | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      schema: fc
        .tuple(fc.dictionary(name, any, { maxKeys: 3 }), fc.boolean(), fc.boolean())
        .map(([members, isShut, isReferred]): Schema => {
          const object = {
            type: 'object',
            properties: { ...members, wait: { type: 'integer', minimum: 1 } },
            required: Object.keys(members),
          };
          const whole = isReferred ? { $ref: '#/$defs/body', $defs: { body: object } } : object;
          return isShut ? { ...whole, unevaluatedProperties: false } : whole;
        }),
      hasWait: fc.boolean(),
    }),
  },
);

/** What a document says of its refusals that have such a body; of a schema that no body fits, as if none were drawn. */
export function refusalWith(
  body: DrawnBody | null | undefined,
  status: number | undefined,
): Pick<Document, 'refusal'> {
  const usual = status === undefined ? {} : { refusal: { status } };
  if (body === null || body === undefined) return usual;
  const refusal: Refusal = {
    status: status ?? 429,
    bodySchema: body.schema,
    ...(body.hasWait ? { retryAfterPointer: '/wait' } : {}),
  };
  return promisedBody(refusal, [1]).kind === 'made' ? { refusal } : usual;
}
