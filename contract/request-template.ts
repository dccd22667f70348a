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

/** With 407 proxies answer, with 408 whoever waited in vain, and with 429 whoever limits. */
const neverPassed: readonly number[] = [407, 408, 429];

const wrongAnswered = `must be a status from 300 to 499 other than ${neverPassed.join(', ')}, or a list of up to four: how a request that passes is answered, where that is no 2xx`;

const passedStatusSchema = z
  .int()
  .min(300, wrongAnswered)
  .max(499, wrongAnswered)
  .refine((status) => !neverPassed.includes(status), wrongAnswered);

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
  /** The status, or up to four, with which the API answers it where it passes the limit, if that is no 2xx: 401 to a wrong password. */
  answered: z
    .union(
      [passedStatusSchema, z.array(passedStatusSchema).min(1, wrongAnswered).max(4, wrongAnswered)],
      wrongAnswered,
    )
    .optional(),
});

export type RequestTemplate = z.infer<typeof requestTemplateSchema>;

/** The statuses other than 2xx with which a request is answered that passes. */
export function answeredOf({ answered }: Pick<RequestTemplate, 'answered'>): readonly number[] {
  return answered === undefined ? [] : [answered].flat();
}

/**
 * Whether a request that was answered so may have passed, and need `answered`: it was refused for what is in it, and not for an
 * address or a method that is not there.
 */
export function mayHavePassed(status: number | null): status is number {
  return status !== null && status >= 400 && status < 500 && ![404, 405, ...neverPassed].includes(status);
}
