/**
 * Shows that the limit of media uploads holds when uploads of very different length run at once, from a few bytes
 * to 1 MiB each: exactly 30 are admitted, whenever their bodies end (clause `load.media-burst`).
 *
 * Requests: 1.5 × the limit (45, together 4.3 MB) with the key, in one batch of one VU; before it as many small ones
 * without a key, which open the connections (none where the deployment's `probeWithoutKey` is false).
 * Time: about one second with k6's start; at most twice the request time-out and ten seconds.
 */
import { burstOptions, sendBurst } from './k6/burst.ts';
import { fileBytesAt } from './k6/file-sizes.ts';
import { readParameters } from './k6/parameters.ts';

const fileBytesMax = 1_048_576;

const { parameters, key } = readParameters(__ENV, 'media');

export const options = burstOptions(parameters);

export default function mediaBurst(): void {
  sendBurst({ parameters, key, fileBytesOf: (n) => fileBytesAt(n, parameters.burst, fileBytesMax) });
}
