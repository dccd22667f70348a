import { z } from 'zod';

const intervalSchema = z.object({ value: z.number(), low: z.number(), high: z.number() });

/**
 * Ways to retry, each with its cost: how long a backlog takes, and how many requests are refused meanwhile. `low` and
 * `high` are the confidence interval of the mean.
 */
export const frontierSchema = z.object({
  /** What was simulated, in one sentence: limit, window, clients, jobs. */
  setting: z.string(),
  /** No strategy can be faster, s. */
  lowerBoundSeconds: z.number(),
  strategies: z.array(
    z.object({
      name: z.string(),
      /** Its parameters, as a person would write them. */
      parameters: z.string(),
      makespanSeconds: intervalSchema,
      /** Refused requests per job, as a fraction. */
      wasted: intervalSchema,
      role: z.enum(['recommended', 'today', 'other']),
    }),
  ),
});

export type Frontier = z.infer<typeof frontierSchema>;
