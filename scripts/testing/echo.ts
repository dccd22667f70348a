import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that repeats secrets in every way that services have. */
export type Echo = {
  readonly url: string;
  readonly asked: readonly IncomingHttpHeaders[];
  /** The targets of the same requests. */
  readonly targets: readonly string[];
  readonly close: () => void;
};

const html = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/g, (one) => `&#x${one.charCodeAt(0).toString(16)};`);
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** A secret as encoders write it. */
function coated(secret: string): readonly string[] {
  const url = encodeURIComponent(secret);
  return [
    secret,
    JSON.stringify(secret).replaceAll('/', '\\/'),
    url,
    url.toLowerCase(),
    encodeURIComponent(url),
    html(secret),
    secret.toUpperCase(),
    secret.toLowerCase(),
    btoa(secret),
    btoa(`Bearer ${secret}`),
    btoa(`user:${secret}`).replaceAll('+', '-').replaceAll('/', '_'),
    hex(secret),
    hex(secret).toUpperCase(),
  ];
}

export type EchoOptions = {
  /** What it repeats. */
  readonly secrets: readonly string[];
  /** How many requests are answered 200, before the others are answered 429. */
  readonly admitted: number;
};

/** Bodies come in small pieces, so that secrets are split. */
export async function startEcho({ secrets, admitted }: EchoOptions): Promise<Echo> {
  const texts = secrets.flatMap(coated);
  const asked: IncomingHttpHeaders[] = [];
  const targets: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    asked.push(request.headers);
    targets.push(request.url ?? '');
    const turn = asked.length;
    const text = texts[turn % texts.length] ?? '';
    const inHeader = text.replace(/[^\x20-\x7e]/g, '');
    for (const name of [
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'retry-after',
      'x-request-id',
    ]) {
      response.setHeader(name, inHeader);
    }
    response.setHeader('content-type', `application/json; echo="${inHeader}"`);
    response.writeHead(turn > admitted ? 429 : 200);
    const said = JSON.stringify({ success: false, error: { code: text, message: texts.join(' ') } });
    // So long that a kept body ends within a key.
    for (const piece of `${said}${texts.join('\n').repeat(4)}`.match(/[\s\S]{1,97}/g) ?? [])
      response.write(piece);
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    targets,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
