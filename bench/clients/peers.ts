import type { ClientPeer } from './peer.ts';
import { awsSdkPeer } from './peers/aws-sdk.ts';
import { axiosRetryPeer } from './peers/axios-retry.ts';
import { cockatielPeer } from './peers/cockatiel.ts';
import { gotPeer } from './peers/got.ts';
import { kyPeer } from './peers/ky.ts';
import { pRetryPeer } from './peers/p-retry.ts';
import { pacedPeer } from './peers/this-project.ts';
import { undiciRetryAgent } from './peers/undici.ts';

/** The rows of the table, in its order. */
export const peers: readonly ClientPeer[] = [
  undiciRetryAgent,
  gotPeer,
  kyPeer,
  axiosRetryPeer,
  pRetryPeer,
  cockatielPeer,
  awsSdkPeer,
  pacedPeer,
];
