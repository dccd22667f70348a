/**
 * Shows that the limit of `/v1/messages` holds when everything arrives at once: no check-then-add race lets a
 * 301st request through, and none of the first 300 is refused (clause `load.messages-burst`).
 *
 * Requests: 1.5 × the limit (450) with the key, in one batch of one VU; before it as many without a key, which
 * open the connections (none where the deployment's `probeWithoutKey` is false).
 * Time: about one second with k6's start; at most twice the request time-out and ten seconds.
 */
import { burstOptions, sendBurst } from './k6/burst.ts';
import { readParameters } from './k6/parameters.ts';

const { parameters, key } = readParameters(__ENV, 'messages');

export const options = burstOptions(parameters);

export default function messagesBurst(): void {
  sendBurst({ parameters, key });
}
