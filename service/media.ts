import { createHash } from 'node:crypto';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { codeOf } from '../contract/thrown.ts';
import type { ApiError } from './behaviour.ts';
import { errorCodes, mediaBytesMax, uploadBytesMax } from './choices.ts';
import type { Desk, OpenExchange } from './desk.ts';
import { addRoute, type RoutePlace } from './route.ts';

/** `POST /v1/media`: one file as `multipart/form-data`, hashed as it streams by and not kept. */
export function addMedia({ app, desk }: RoutePlace): void {
  // A plugin context of its own: on other paths a multipart body stays unsupported.
  app.register((media, _options, done) => {
    media.register(multipart, { throwFileSizeLimit: false, limits: formLimits });
    media.after(() =>
      addRoute({ app: media, desk }, '/v1/media', { POST: (exchange) => upload(desk, exchange) }),
    );
    done();
  });
}

async function upload(desk: Desk, exchange: OpenExchange): Promise<void> {
  const { request } = exchange;
  if (!request.isMultipart()) return desk.fail(exchange, notMultipart);
  if (Number(request.headers['content-length'] ?? 0) > uploadBytesMax) return desk.fail(exchange, tooLarge);
  const outcome = await received(request);
  return outcome.kind === 'file'
    ? desk.succeed(exchange, { status: 201, data: outcome.file })
    : desk.fail(exchange, outcome.error);
}

/** One byte over the bound distinguishes a file that is too large from one that just fits. */
const formLimits = { files: 1, fileSize: mediaBytesMax + 1, fields: 16, fieldSize: 16_384, headerPairs: 32 };

type ReceivedFile = { readonly content_type: string; readonly bytes: number; readonly sha256: string };

type Outcome =
  | { readonly kind: 'file'; readonly file: ReceivedFile & { readonly media_id: string } }
  | { readonly kind: 'unusable'; readonly error: ApiError };

async function received(request: FastifyRequest): Promise<Outcome> {
  const { raw } = request;
  let bytes = 0;
  // Bytes around the parts belong to no part, so the parser's limits do not cover them.
  const bound = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > 2 * uploadBytesMax) raw.destroy();
  };
  raw.on('data', bound);
  try {
    return await receivedFile(request);
  } catch (error) {
    return { kind: 'unusable', error: formErrorOf(error) };
  } finally {
    raw.off('data', bound);
  }
}

async function receivedFile(request: FastifyRequest): Promise<Outcome> {
  let outcome: Outcome = { kind: 'unusable', error: noFile };
  for await (const part of request.parts()) {
    if (part.type !== 'file') continue;
    const file = await digestOf(part);
    if (file.bytes > mediaBytesMax) return { kind: 'unusable', error: tooLarge };
    outcome = { kind: 'file', file: { media_id: `med_${file.sha256.slice(0, 24)}`, ...file } };
  }
  return outcome;
}

async function digestOf({ file, mimetype }: MultipartFile): Promise<ReceivedFile> {
  const digest = createHash('sha256');
  let bytes = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    digest.update(chunk);
    bytes += chunk.length;
    if (bytes > mediaBytesMax) break;
  }
  return { content_type: mimetype, bytes, sha256: digest.digest('hex') };
}

/** Errors of the parser carry no status. A form that it cannot read is the client's error. */
function formErrorOf(error: unknown): ApiError {
  if (codeOf(error) === 'FST_FILES_LIMIT') return manyFiles;
  const message = error instanceof Error ? error.message : 'unreadable';
  return { status: 400, code: errorCodes.request, message: `The multipart form cannot be read: ${message}.` };
}

const notMultipart: ApiError = {
  status: 415,
  code: errorCodes.mediaType,
  message: 'Media are uploaded as multipart/form-data.',
};

const tooLarge: ApiError = {
  status: 413,
  code: errorCodes.tooLarge,
  message: `A file can have at most ${mediaBytesMax} bytes.`,
};

const noFile: ApiError = { status: 422, code: errorCodes.fields, message: 'file: the form holds no file' };

const manyFiles: ApiError = {
  status: 422,
  code: errorCodes.fields,
  message: 'file: the form holds more than one file',
};
