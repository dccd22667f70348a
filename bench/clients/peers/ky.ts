import ky from 'ky';
import type { ClientPeer } from '../peer.ts';

export const kyPeer: ClientPeer = {
  library: 'ky',
  package: 'ky',
  methods: ['POST', 'GET'],
  scopes: ['messages'],
  open: () => ({
    send: ({ url, ...job }) => ky(url, job).text(),
    close: () => Promise.resolve(),
  }),
};
