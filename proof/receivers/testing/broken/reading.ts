import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type BrokenReceiver, goodBehaviour } from '../receiver.ts';

const { isSigned, read } = goodBehaviour;

/** Reads bodies of so many bytes, and refuses longer ones. */
function atMost(bytes: number): typeof read {
  return async (request) => {
    const body = await read(request);
    return typeof body !== 'number' && body.length > bytes ? 413 : body;
  };
}

/** Receivers that read requests wrongly. */
export const reading: readonly BrokenReceiver[] = [
  {
    name: 'looks the header up by its spelling',
    fails: ['allowed.header-case'],
    behaviour: () => ({
      signatureOf: ({ rawHeaders }) => {
        const at = rawHeaders.flatMap((name, index) => (name === 'X-Service-Signature' ? [index] : []));
        return at.length === 1 ? (rawHeaders[(at[0] ?? 0) + 1] ?? null) : null;
      },
    }),
  },
  {
    name: 'does not trim the value',
    fails: ['allowed.header-padding'],
    behaviour: () => {
      const heads = new WeakMap<Socket, string>();
      return {
        onServer: (server) => {
          server.on('connection', (socket) => {
            socket.prependListener('data', (bytes) => {
              const text = bytes.toString('latin1');
              if (text.startsWith('POST ')) heads.set(socket, text);
            });
          });
        },
        signatureOf: (request) => {
          const lines = (heads.get(request.socket) ?? '').split('\r\n');
          const found = lines.filter((line) => /^x-service-signature:/i.test(line));
          return found.length === 1 ? (found[0] ?? '').replace(/^[^:]+: ?/, '') : null;
        },
      };
    },
  },
  {
    name: 'turns the body into Latin-1',
    fails: ['allowed.unescaped'],
    behaviour: () => ({
      isSigned: (given, body) => isSigned(given, Buffer.from(body.toString('latin1'), 'utf8')),
    }),
  },
  {
    name: 'trims the body',
    fails: ['allowed.white-space'],
    behaviour: () => ({
      isSigned: (given, body) => isSigned(given, Buffer.from(body.toString('utf8').trim())),
    }),
  },
  {
    name: 'reads as much as Content-Length says',
    fails: ['allowed.chunked'],
    behaviour: () => ({
      read: async (request) => {
        const bytes = Number(request.headers['content-length'] ?? 0);
        const body = await read(request);
        return typeof body === 'number' ? body : body.subarray(0, bytes);
      },
    }),
  },
  {
    name: 'makes text of each chunk by itself',
    fails: ['allowed.chunked'],
    behaviour: () => ({
      read: async (request) => {
        let text = '';
        for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString('utf8');
        return Buffer.from(text);
      },
    }),
  },
  { name: 'stops at 100 kB', fails: ['allowed.large'], behaviour: () => ({ read: atMost(102_400) }) },
  {
    name: 'stops at 2 kB',
    fails: ['allowed.long-text', 'allowed.large'],
    behaviour: () => ({ read: atMost(2_048) }),
  },
  {
    name: 'leaves the end of a long body unread',
    fails: ['allowed.long-text', 'allowed.large'],
    behaviour: () => ({
      read: async (request) => {
        const body = await read(request);
        return typeof body === 'number' ? body : body.subarray(0, 4_096);
      },
    }),
  },
  {
    name: 'takes what follows a refused request for its rest',
    fails: ['connection.reused'],
    behaviour: () => {
      const confused = new WeakSet<Socket>();
      return {
        onServer: (server) => {
          server.on('request', (request, response) => {
            response.once('finish', () => {
              if (response.statusCode === 401) confused.add(request.socket);
            });
          });
        },
        read: async (request) => (confused.has(request.socket) ? 400 : read(request)),
      };
    },
  },
  {
    name: 'serves few connections, for as long as they last',
    fails: ['connection.held'],
    behaviour: () => ({
      onServer: (server) => {
        // One that an earlier case has just closed must not make room: once full, it serves nobody until half are gone.
        const open = new Set<Socket>();
        let isFull = false;
        server.on('connection', (socket: Socket) => {
          if (isFull) return socket.destroy();
          open.add(socket);
          isFull = open.size === 32;
          return socket.once('close', () => {
            open.delete(socket);
            isFull &&= open.size > 16;
          });
        });
      },
    }),
  },
  {
    name: 'dies of a broken connection',
    fails: ['connection.cut-off'],
    behaviour: () => ({
      onServer: (server) => {
        server.on('request', (request) => request.once('error', () => die(server)));
      },
    }),
  },
];

/** What an error does that nobody catches. */
export function die(server: Server): void {
  server.close();
  server.closeAllConnections();
}
