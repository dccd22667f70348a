import { z } from 'zod';
import type { bounds } from './bounds.ts';

/** The stated bounds as reports and certificates print them. They stand apart because k6 takes no zod with `bounds.ts`. */
export const boundsSchema = z.object({
  clockRate: z.number(),
  clockResolutionMs: z.number(),
  granularityMs: z.number(),
  clockStepMs: z.number(),
  clockSlew: z.number(),
} satisfies Readonly<Record<keyof typeof bounds, z.ZodNumber>>);
