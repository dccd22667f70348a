import { z } from 'zod';
import { type Level, levels } from '../clause.ts';

/**
 * What a document says of a clause: its own words, and how binding they are. What a document leaves to the service is
 * `observe`: it is reported, and never violated.
 */
export const sentenceSchema = z
  .strictObject({
    says: z.string().min(1).max(400).optional(),
    level: z.enum(levels).optional(),
  })
  .refine(({ says, level }) => says !== undefined || level !== undefined, 'needs says, or level, or both');

export type Sentence = z.infer<typeof sentenceSchema>;

/** A clause with what the document itself says of it: its words after ours, and its level in place of ours. */
export function withSentence<Said extends { readonly level: Level; readonly requirement: string }>(
  clause: Said,
  { says, level }: Sentence,
): Said {
  return {
    ...clause,
    ...(level === undefined ? {} : { level }),
    ...(says === undefined ? {} : { requirement: `${clause.requirement} The document: “${says}”` }),
  };
}
