import { type Document, type DocumentInput, documentSchema } from '../../contract/document/document.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { plainly } from '../mistakes/plainly.ts';
import { explainIssues } from './explain-issues.ts';

/**
 * A document that a program holds, as `defineDocument` types it, or as a file of JSON has it.
 * @throws {UsageError} naming what of it cannot be used.
 */
export function usableDocument(input: DocumentInput): Document {
  const document = documentSchema.safeParse(input, plainly);
  if (document.success) return document.data;
  const words = { fixes: {}, whole: 'the document', schema: documentSchema };
  throw new UsageError(`The document cannot be used:\n${explainIssues(document.error, words)}`);
}
