import { type PacedByDocument, pacedOptionsOf } from '../../backoff/paced/document-options.ts';
import type { DocumentInput } from '../../contract/document/document.ts';
import { usableDocument } from '../../run/target/usable-document.ts';

/**
 * The options of `paced` by which a process keeps to the limits of a document, as `defineDocument` types it or a file of JSON
 * has it.
 * @throws {Error} naming what of the document cannot be used.
 */
export function pacedOptions(input: DocumentInput): PacedByDocument {
  return pacedOptionsOf(usableDocument(input));
}
