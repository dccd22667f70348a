import { z } from 'zod';
import { isOwnHeader } from '../header-name.ts';
import { neither } from '../plain-words.ts';

/** Fewer characters than RFC 9110 §5.6.2 allows: commands that a shell takes hold them. */
const word = /^[A-Za-z][A-Za-z0-9_-]{0,59}$/;

/** Headers that say something else. */
const taken = /^(accept|content-type|cookie)$/i;

const inHeaderSchema = z.strictObject({
  /** The header that carries a key. */
  header: z
    .string()
    .regex(word, 'must be the name of a header, as X-Api-Key')
    .refine(
      (name) => !taken.test(name) && !isOwnHeader(name),
      'is a header that says something else: keys stand in one of their own, as X-Api-Key',
    ),
  /** The word before the key and a space; left out: the key stands alone. */
  scheme: z.string().regex(word, 'must be one word, as Token').optional(),
});

const inQuerySchema = z.strictObject({
  /** The parameter of the query that carries a key. */
  query: z.string().regex(word, 'must be the name of a parameter, as api_key'),
});

const keyWords = ['bearer', 'none'] as const;

/** How a request carries its key, and whether one is needed. */
export const keysSchema = z
  .union([z.enum(keyWords), inHeaderSchema, inQuerySchema], {
    error: neither(keyWords, 'fields, as { header: X-Api-Key } or { query: api_key }', 'hidden'),
  })
  .default('bearer');

export type Keys = z.infer<typeof keysSchema>;
