import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Seen = {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly key: string;
};

export type Answer = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
};

/** A 429 whose body alone asks to wait. */
export const refusal = (seconds: number): Answer => ({
  status: 429,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ success: false, error: { retry_after_seconds: seconds } }),
});

/** A server that gives the answers of a list, in order; 200 after its end. It is closed after the test. */
export async function serve(answers: Answer[], hold?: (response: ServerResponse) => boolean) {
  const seen: Seen[] = [];
  const onRequest = async (incoming: IncomingMessage, response: ServerResponse) => {
    const atMs = performance.now();
    const body = (await buffer(incoming)).toString();
    const { method = '', url: path = '', headers } = incoming;
    seen.push({ atMs, method, path, body, key: headers.authorization ?? '' });
    if (hold?.(response)) return;
    const answer = answers.shift() ?? { status: 200, body: 'fine' };
    response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  };
  const server = createServer((incoming, response) => void onRequest(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, seen, close };
}
