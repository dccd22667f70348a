import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { isSigned } from '../../../contract/webhooks/signature.ts';

export const webhookSecret = 'whsec-of-a-test';

export type Got = {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly isSigned: boolean;
};

export type Subscriber = {
  readonly url: string;
  /** Everything that arrived whole, in order. */
  readonly got: readonly Got[];
  close(): Promise<void>;
};

/** What to answer the nth request with (from 1); `null` is no answer at all. */
export type Answering = (
  nth: number,
  got: Got,
) => { status: number; headers?: Record<string, string> } | null;

/** A receiver on a free loopback port that keeps what it gets. */
export async function subscriber(answering: Answering = () => ({ status: 204 })): Promise<Subscriber> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const value = request.headers['x-service-signature'];
      const one = {
        headers: request.headers,
        body: bytes.toString('utf8'),
        isSigned: isSigned({
          value: typeof value === 'string' ? value : null,
          body: bytes,
          secrets: [webhookSecret],
        }),
      };
      got.push(one);
      const answer = answering(got.length, one);
      if (answer !== null) response.writeHead(answer.status, answer.headers).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hooks?tenant=1`,
    got,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
