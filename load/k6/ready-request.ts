import { isRepeatable } from '../../contract/repeatable.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import type { Payload, ReadyRequest } from './parameters.ts';

/** What answers are read by: the rate-limit headers, and the statuses of requests over the limit and of those that pass. */
export type AnswersToRead = Pick<ReadyRequest, 'headerNames' | 'limitedStatuses' | 'passedStatuses'>;

/**
 * A deployment's request as k6 sends it to each of its nodes, without the key, the request's own id and the user agent:
 * k6 adds those.
 */
export function readyRequest(
  template: RequestTemplate,
  baseUrls: readonly string[],
  answers: AnswersToRead,
): ReadyRequest {
  const { method, path } = template;
  const headers = mergedHeaders(template);
  const repeatable = isRepeatable(method, headers);
  return {
    method,
    path,
    urls: baseUrls.map((baseUrl) => baseUrl.replace(/\/+$/, '') + path),
    // Over a new connection Go sends nothing again, so that each request certainly counts once.
    headers: repeatable ? { Connection: 'close', ...headers } : headers,
    payload: payloadOf(template.body),
    isRepeatable: repeatable,
    ...answers,
  };
}

function payloadOf(body: RequestTemplate['body']): Payload {
  if (body === undefined) return { kind: 'none' };
  if ('json' in body) return { kind: 'text', text: JSON.stringify(body.json) };
  if ('text' in body) return { kind: 'text', text: body.text };
  return { kind: 'file', file: body.file };
}

/**
 * Header names are compared without case. The template overrides the content type of the body, and our own headers
 * override the template. The content type of a multipart body comes from k6 alone, which knows the boundary.
 */
function mergedHeaders({ body, headers }: RequestTemplate): Record<string, string> {
  const merged: Record<string, string> = {};
  const taken = new Set(['user-agent', 'x-request-id', 'authorization']);
  if (body !== undefined && 'file' in body) taken.add('content-type');
  const own: readonly (readonly [string, string])[] = Object.entries(headers);
  for (const [name, value] of [...own, ...contentTypeOf(body)]) {
    const lowerCase = name.toLowerCase();
    if (taken.has(lowerCase)) continue;
    taken.add(lowerCase);
    merged[name] = value;
  }
  return merged;
}

function contentTypeOf(body: RequestTemplate['body']): readonly (readonly [string, string])[] {
  if (body === undefined || 'file' in body) return [];
  return [['Content-Type', 'json' in body ? 'application/json' : body.contentType]];
}
