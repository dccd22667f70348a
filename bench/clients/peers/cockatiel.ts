import { ExponentialBackoff, handleAll, retry } from 'cockatiel';
import type { ClientPeer } from '../peer.ts';
import { fetchOrThrow } from './wrapped-fetch.ts';

/** The policy of the first lines of its readme. */
export const cockatielPeer: ClientPeer = {
  library: 'cockatiel around fetch',
  package: 'cockatiel',
  methods: ['POST'],
  scopes: ['messages'],
  open: () => {
    const policy = retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() });
    return {
      send: (job) => policy.execute(() => fetchOrThrow(job)),
      close: () => Promise.resolve(),
    };
  },
};
