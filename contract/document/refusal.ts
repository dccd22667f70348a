import { z } from 'zod';
import { readSchema } from '../body-schema/read-schema.ts';
import { neither } from '../plain-words.ts';
import { waitUnits } from '../wait-units.ts';
import { headerNameSchema } from './headers.ts';
import { retryAfterForms } from './retry-after.ts';

/** A status that refuses: 429 in most documents, 403 or 503 in some. */
const statusSchema = z.int().min(400, notRefusing()).max(599, notRefusing());

function notRefusing(): string {
  return 'is no refusal: a status from 400 to 599 is';
}

/** Where a value stands in a JSON body (RFC 6901): "" is all of it, "/error/code" a field of a field. */
const pointerSchema = z
  .string()
  .max(200)
  .regex(/^(\/([^~/]|~[01])*)*$/, 'is no JSON pointer: write it like "/error/code" (RFC 6901)');

/** A value that stands in a body, as it has to be. */
const valueSchema = z.union([z.string().max(200), z.number(), z.boolean(), z.null()]);

/** A schema of a JSON body (JSON Schema, draft 2020-12 or draft-07); all that it refers to stands in it. */
const bodySchemaSchema = z.record(z.string(), z.json()).superRefine((schema, context) => {
  const read = readSchema(schema);
  if (read.kind === 'schema') return;
  for (const { path, message } of read.flaws) context.addIssue({ code: 'custom', path: [...path], message });
});

const waitWords = ['none', ...retryAfterForms] as const;

/** How a request over the limit is answered. */
export const refusalSchema = z
  .strictObject({
    /** The status over the limit, or those that it may be; left out: 429. */
    status: z
      .union([statusSchema, z.array(statusSchema).min(1).max(4)], {
        error: 'must be a status from 400 to 599, or a list of up to four',
      })
      .default(429),
    /**
     * Whether each refusal carries `Retry-After`, or a header of another name that says how long to wait, and how it is written; left
     * out, and `none`: not promised.
     */
    retryAfter: z
      .union([z.enum(waitWords), z.strictObject({ name: headerNameSchema, as: z.enum(retryAfterForms) })], {
        error: neither(waitWords, 'a header called otherwise, as { name: X-Wait, as: ms }'),
      })
      .optional(),
    /** Values that stand in its JSON body, each by its pointer. */
    body: z
      .record(pointerSchema, valueSchema)
      .refine((body) => Object.keys(body).length > 0, 'names no value')
      .refine((body) => Object.keys(body).length <= 16, 'has more than sixteen values')
      .optional(),
    /** What its JSON body fits; `format` is a note for readers. */
    bodySchema: bodySchemaSchema.optional(),
    /** A body as it may be: what the reference service sends. */
    bodyExample: z.json().optional(),
    /** Where the wait stands in that body. */
    retryAfterPointer: pointerSchema.optional(),
    /** How it is written; left out: in whole seconds. */
    retryAfterUnit: z.enum(waitUnits).optional(),
    /** How long the document itself has a refused client wait, s: who waits so long is served. */
    waitSeconds: z.number().min(0.1).max(3_600).optional(),
    /** Whether it has a refused client wait until the reset that the refusal's headers tell: who does is served. */
    waitUntilReset: z.boolean().optional(),
  })
  .superRefine((refusal, context) => {
    const { body, retryAfterPointer } = refusal;
    for (const name of ['retryAfterPointer', 'bodyExample'] as const) {
      if (refusal[name] === undefined || promisesJson(refusal)) continue;
      const message =
        'needs a body or a bodySchema beside it: nothing else promises that a refusal has a body of JSON';
      context.addIssue({ code: 'custom', path: [name], message });
    }
    if (refusal.retryAfterUnit !== undefined && retryAfterPointer === undefined) {
      const message = 'needs a retryAfterPointer beside it, which says where the wait stands';
      context.addIssue({ code: 'custom', path: ['retryAfterUnit'], message });
    }
    if (retryAfterPointer !== undefined && body?.[retryAfterPointer] !== undefined) {
      const message = 'is a value of the body too: a wait is not always the same';
      context.addIssue({ code: 'custom', path: ['retryAfterPointer'], message });
    }
  });

export type Refusal = z.infer<typeof refusalSchema>;

/** Whether a refusal has to have a body of JSON. */
export function promisesJson({ body, bodySchema }: Pick<Refusal, 'body' | 'bodySchema'>): boolean {
  return body !== undefined || bodySchema !== undefined;
}

/** Values of a JSON body by their pointers. */
export type PromisedBody = NonNullable<Refusal['body']>;
