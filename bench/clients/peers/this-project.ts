import { Agent, request } from 'undici';
import { paced } from '../../../backoff/paced/paced.ts';
import { scopes } from '../../../contract/scopes.ts';
import type { ClientPeer } from '../peer.ts';

/** The client of this project, told the limit of the scope and nothing else. */
export const pacedPeer: ClientPeer = {
  library: 'paced() of this project',
  package: null,
  methods: ['POST'],
  scopes: scopes,
  open: ({ scope, limit, windowMs }) => {
    const pace = paced({ scopes: { [scope]: { limit } }, windowSeconds: windowMs / 1_000 });
    const dispatcher = new Agent().compose(pace);
    return {
      send: async ({ url, ...job }) => (await request(url, { ...job, dispatcher })).body.dump(),
      close: () => dispatcher.destroy(),
    };
  },
};
