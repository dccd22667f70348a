import { z } from 'zod';
import { withheld } from './secret/withheld.ts';

const pathSchema = z.string().regex(/^\/[^\s]*$/, 'must start with "/" and hold no white space');

/** What a request carries: JSON, text, or one file as `multipart/form-data`. */
const requestBodySchema = z.union([
  z.strictObject({ json: z.json() }),
  z.strictObject({ text: z.string(), contentType: z.string() }),
  z.strictObject({
    file: z.strictObject({
      field: z.string().default('file'),
      filename: z.string().default('probe.bin'),
      contentType: z.string().default('application/octet-stream'),
      bytes: z.int().min(1).max(1_048_576).default(64),
    }),
  }),
]);

/** By what a run asks. */
export const requestMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export type RequestMethod = (typeof requestMethods)[number];

export const requestTemplateSchema = z.strictObject({
  method: z.enum(requestMethods).default('GET'),
  path: pathSchema,
  headers: z
    .record(z.string(), z.string())
    .default({})
    .refine(
      (headers) =>
        !Object.entries(headers).some(
          ([name, value]) => /^(authorization|cookie)$/i.test(name) && value !== withheld,
        ),
      'must not hold Authorization or Cookie: keys come from the environment by name (keyEnv), a cookie by --header-env Cookie=VARIABLE',
    ),
  body: requestBodySchema.optional(),
});

export type RequestTemplate = z.infer<typeof requestTemplateSchema>;
