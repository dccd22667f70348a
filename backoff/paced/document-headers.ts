import { type Headers, promisedHeaders, recordedNames } from '../../contract/document/headers.ts';
import { toldHeaders } from '../../contract/document/told-headers.ts';
import { parseHeaderInteger } from '../../contract/rate-limit-headers.ts';
import { resetRules } from '../../contract/reset-units.ts';
import type { ReadHeaders } from './headers.ts';

/** Reads headers by the names, the style and the unit of a document. */
export function readHeadersOf(document: { readonly headers: Headers }): ReadHeaders {
  const names = recordedNames(document);
  const told = toldHeaders(document);
  const { read, origin } = resetRules[promisedHeaders(document).unit];
  return (header) => {
    const textOf = (name: string | null): string | null => (name === null ? null : header(name));
    const { limit, remaining, reset } = told({
      limit: textOf(names.limit),
      remaining: textOf(names.remaining),
      reset: textOf(names.reset),
    });
    const seconds = read(reset ?? '');
    return {
      limit: parseHeaderInteger(limit ?? ''),
      remaining: parseHeaderInteger(remaining ?? ''),
      reset: seconds === null ? null : { seconds, after: origin === 'epoch' ? '1970' : 'answer' },
    };
  };
}
