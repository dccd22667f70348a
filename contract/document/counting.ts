import { z } from 'zod';
import { requestMethods } from '../request-template.ts';

const pathSchema = z
  .string()
  .regex(/^\/[^\s?#]*$/, 'must start with "/" and hold no white space, query or fragment')
  .refine(
    (path) => !/\*|\/:/.test(path),
    'must say {name} where any text may stand, as in "/users/{id}/posts": what lies below a path counts without "*"',
  )
  .refine(
    (path) => /^[^{}]*(\{[^{}/]+\}[^{}]*)*$/.test(path),
    'has a brace that is no part of {name}, which stands for any text without "/"',
  );

/** Paths that a scope counts, with all below them; `{name}` stands for any text without a slash. */
export const pathsSchema = z.array(pathSchema).min(1).max(16);

/** Methods that a scope counts. */
export const methodsSchema = z
  .array(z.enum(requestMethods))
  .min(1)
  .refine((methods) => new Set(methods).size === methods.length, 'names a method twice');
