import { Agent, RetryAgent, request } from 'undici';
import type { ClientPeer } from '../peer.ts';

/** undici's RetryAgent around an Agent, as its documentation begins. */
export const undiciRetryAgent: ClientPeer = {
  library: 'undici RetryAgent',
  package: 'undici',
  methods: ['POST', 'GET'],
  scopes: ['messages'],
  open: () => {
    const dispatcher = new RetryAgent(new Agent());
    return {
      send: async ({ url, ...job }) => (await request(url, { ...job, dispatcher })).body.dump(),
      close: () => dispatcher.destroy(),
    };
  },
};
