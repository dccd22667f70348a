import pRetry from 'p-retry';
import type { ClientPeer } from '../peer.ts';
import { fetchOrThrow } from './wrapped-fetch.ts';

export const pRetryPeer: ClientPeer = {
  library: 'p-retry around fetch',
  package: 'p-retry',
  methods: ['POST'],
  scopes: ['messages'],
  open: () => ({
    send: (job) => pRetry(() => fetchOrThrow(job)),
    close: () => Promise.resolve(),
  }),
};
