import got from 'got';
import type { ClientPeer } from '../peer.ts';

export const gotPeer: ClientPeer = {
  library: 'got',
  package: 'got',
  methods: ['POST', 'GET'],
  scopes: ['messages'],
  open: () => ({
    send: ({ url, method, headers, body }) =>
      got(url, { method, headers, ...(body === null ? {} : { body }) }).text(),
    close: () => Promise.resolve(),
  }),
};
