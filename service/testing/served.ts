import { connect } from 'node:net';
import { Client } from 'undici';
import { afterAll } from 'vitest';
import { parseHeaderInteger, rateLimitHeaderNames } from '../../contract/rate-limit-headers.ts';
import { documentedLimits, type Limits } from '../../contract/scopes.ts';
import { type Api, createApi } from '../api.ts';
import { createKeyring } from '../authentication.ts';
import { documentedBehaviour } from '../documented-behaviour.ts';
import { createGate } from '../gate.ts';
import { createMessageStore } from '../message-store.ts';

export const secret = 'sk-canary-a';

export type ServedApi = {
  readonly api: Api;
  readonly url: string;
  readonly port: number;
  /** Connections accepted so far. */
  readonly connections: () => number;
};

/**
 * The API on a free loopback port, with a clock that stands still: no test depends on how fast it runs.
 * @param prepare adds routes before the API listens.
 */
export async function serve(
  limits: Partial<Limits> = {},
  prepare: (api: Api) => void = () => undefined,
): Promise<ServedApi> {
  const aliasOf = createKeyring(new Map([['A', secret]]));
  const settings = { limits: { ...documentedLimits, ...limits }, windowMs: 60_000 };
  const gate = createGate({ ...settings, behaviour: documentedBehaviour, aliasOf });
  const nowMs = () => 1_700_000_000_000;
  const messages = createMessageStore({ nowMs, sentBefore: 0, onSent: () => undefined });
  const api = createApi({ gate, messages, node: 0, nowMs });
  let accepted = 0;
  api.app.server.on('connection', () => {
    accepted += 1;
  });
  prepare(api);
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  return { api, url, port: Number(new URL(url).port), connections: () => accepted };
}

/** The API for a whole test file, with limits that no test reaches, and one connection to it. */
export async function serveForFile(
  prepare?: (api: Api) => void,
): Promise<{ readonly served: ServedApi; readonly client: Client }> {
  const served = await serve({ standard: 10_000, messages: 10_000, media: 10_000 }, prepare);
  const client = new Client(served.url);
  afterAll(async () => {
    await client.destroy();
    await served.api.close(0);
  });
  return { served, client };
}

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export type Call = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer | AsyncIterable<Buffer>;
};

/** One request with a valid key, unless its headers say otherwise. */
export async function call(
  client: Client,
  { method = 'GET', path = '/v1/status', headers, body }: Call,
): Promise<Reply> {
  const sent = { authorization: `Bearer ${secret}`, ...headers };
  // undici takes any iterable of buffers, but its types do not say so.
  const payload = body === undefined ? {} : { body: body as string | Buffer };
  const answer = await client.request({ method: method as 'GET', path, headers: sent, ...payload });
  return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
}

/** A message that can be sent. */
export const message = { recipient: '15550002000', type: 'text', body: 'hello' };

/** @param body a value that becomes JSON, or a text that is sent as it is. */
export function json(method: string, path: string, body: unknown): Call {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method, path, headers: { 'content-type': 'application/json' }, body: text };
}

/** Which of the three headers are missing, or are not plain integers. */
export function rateHeadersMissing({ headers }: Reply): readonly string[] {
  const names = Object.values(rateLimitHeaderNames).map((name) => name.toLowerCase());
  return names.filter((name) => parseHeaderInteger(String(headers[name])) === null);
}

/** A form with one file of `bytes` bytes. */
export function form(
  bytes: number,
): Call & { readonly body: Buffer; readonly headers: Record<string, string> } {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="probe.bin"';
  const head = `--frontier\r\n${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    method: 'POST',
    path: '/v1/media',
    headers: { 'content-type': 'multipart/form-data; boundary=frontier' },
    body: Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 7), Buffer.from('\r\n--frontier--\r\n')]),
  };
}

/** The answer to these bytes, until it matches `whole` or the connection ends. */
export function exchangeBytes(
  port: number,
  bytes: string,
  whole: RegExp = /\r\n\r\n.*\}$/s,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (whole.test(received)) end();
    });
    socket.on('end', end);
    socket.on('error', reject);
  });
}
