import { Agent } from 'undici';
import { paced } from '../paced/paced.ts';

const window = { limit: 300, windowSeconds: 60, share: 1 };

// For fetch(url, { dispatcher }), or for all of a process by setGlobalDispatcher(dispatcher).
export const dispatcher = paced({
  scopes: { all: { limit: window.limit } },
  windowSeconds: window.windowSeconds,
  share: window.share,
}).over(new Agent());
