import type { FastifyError } from 'fastify';
import type { ZodError } from 'zod';
import type { ApiError } from './behaviour.ts';
import { errorCodes } from './choices.ts';

/** Errors of Fastify and its plugins whose own messages would not help a client. */
const ofFastify: Readonly<Record<string, ApiError>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: {
    status: 400,
    code: errorCodes.json,
    message: 'The body is not valid JSON.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    status: 400,
    code: errorCodes.json,
    message: 'The body is empty; JSON is needed.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: errorCodes.mediaType,
    message: 'The Content-Type of the body is not supported on this path.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: errorCodes.tooLarge, message: 'The body is too large.' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 414, code: errorCodes.uriTooLong, message: 'The path is too long.' },
  FST_ERR_BAD_URL: { status: 400, code: errorCodes.request, message: 'The path is not a valid URL path.' },
};

const codeOf: ReadonlyMap<number, string> = new Map([
  [404, errorCodes.notFound],
  [408, errorCodes.timeout],
  [413, errorCodes.tooLarge],
  [414, errorCodes.uriTooLong],
  [415, errorCodes.mediaType],
  [431, errorCodes.headersTooLarge],
]);

/** The documented form of what a handler, Fastify or a plugin threw. A 500 reveals nothing about its cause. */
export function apiErrorOf(error: Partial<FastifyError>): ApiError {
  const special = ofFastify[error.code ?? ''];
  if (special !== undefined) return special;
  const status = error.statusCode ?? 500;
  if (status < 400 || status > 499) {
    return { status: 500, code: errorCodes.internal, message: 'The service failed to answer this request.' };
  }
  const message =
    error.message === undefined || error.message === '' ? 'The request is not valid.' : error.message;
  return { status, code: codeOf.get(status) ?? errorCodes.request, message };
}

/** Errors of Node's HTTP parser. */
const ofNode: ReadonlyMap<string, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The head of the request is too large.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The chunk extensions of the request are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);

/** The answer to bytes that Node could not read as an HTTP request. */
export function clientErrorOf({ code = '' }: { readonly code?: string }): ApiError {
  const [statusCode, message] = ofNode.get(code) ?? [400, 'This is not a valid HTTP request.'];
  return apiErrorOf({ statusCode, message });
}

/** A request whose fields are wrong: names each field and what is wrong with it. */
export function fieldErrors({ issues }: ZodError, whole: string): ApiError {
  const lines = issues.map(
    ({ path, message }) => `${path.length === 0 ? whole : path.join('.')}: ${message}`,
  );
  return { status: 422, code: errorCodes.fields, message: lines.join('; ') };
}

export const notFound: ApiError = {
  status: 404,
  code: errorCodes.notFound,
  message: 'There is nothing at this path.',
};

/** RFC 9112 §3.2: a request of HTTP/1.1 without Host is answered 400. */
export const hostMissing: ApiError = {
  status: 400,
  code: errorCodes.request,
  message: 'The Host header is missing.',
};

export function methodNotAllowed(allowed: readonly string[]): ApiError {
  const methods = allowed.join(', ');
  return {
    status: 405,
    code: errorCodes.method,
    message: `This path answers ${methods} only.`,
    headers: [['Allow', methods]],
  };
}
