import { type PacedByDocument, pacedOptionsOf } from '../../backoff/paced/document-options.ts';
import { type DocumentInput, documentSchema } from '../../contract/document/document.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { explainIssues } from '../../run/target/explain-issues.ts';

/**
 * The options of `paced` by which a process keeps to the limits of a document, as `defineDocument` types it or a file of JSON
 * has it.
 * @throws {Error} naming what of the document cannot be used.
 */
export function pacedOptions(input: DocumentInput): PacedByDocument {
  const document = documentSchema.safeParse(input);
  if (document.success) return pacedOptionsOf(document.data);
  throw new UsageError(`The document cannot be used:\n${explainIssues(document.error)}`);
}
