import { type Document, limitedStatusText } from '../contract/document/document.ts';
import type { Verdict } from '../contract/verdict.ts';

/** A refusal in a sentence, in which a number of requests may be 429 too. */
const refusal =
  /(?<=\b(?:a|an|another|any|every|admission and|its|no|nor|or|the|this) )429\b(?! requests)|\b429(?=s\b)/g;

/** A verdict in whose sentences a refusal is called by the status that the document has over the limit. */
export function withStatus(verdict: Verdict, document: Document): Verdict {
  if (document.refusal === undefined) return verdict;
  const status = limitedStatusText(document);
  // A sentence that names the statuses already may have 429 among them; a part of a longer number names none.
  const isNamed = new RegExp(`(?<!\\d|\\d[.,])${status}(?!\\d|[.,]\\d)`);
  const named = (text: string): string => (isNamed.test(text) ? text : text.replace(refusal, status));
  switch (verdict.kind) {
    case 'held':
      return { ...verdict, summary: named(verdict.summary) };
    case 'observed':
      return { ...verdict, value: named(verdict.value) };
    case 'violated': {
      const { evidence } = verdict;
      const said = { expected: named(evidence.expected), observed: named(evidence.observed) };
      return { ...verdict, evidence: { ...evidence, ...said } };
    }
    default:
      return { ...verdict, reason: named(verdict.reason) };
  }
}
