import axios from 'axios';
import axiosRetry from 'axios-retry';
import type { ClientPeer } from '../peer.ts';

export const axiosRetryPeer: ClientPeer = {
  library: 'axios-retry',
  package: 'axios-retry',
  methods: ['POST', 'GET'],
  scopes: ['messages'],
  open: () => {
    const client = axios.create();
    axiosRetry(client);
    return {
      send: ({ body, ...job }) => client.request({ ...job, ...(body === null ? {} : { data: body }) }),
      close: () => Promise.resolve(),
    };
  },
};
