/** Requests of the burst. */
export const burstSize = 300;
