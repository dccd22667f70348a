/** The clocks of a driver: monotonic time on the epoch's scale, and the wall clock beside it; both ms. */
export type DriverClock = {
  readonly nowMs: () => number;
  readonly wallMs: () => number;
};

/** This process's clocks. The monotonic one cannot step; where the two diverge, one of them did. */
export const systemClock: DriverClock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  wallMs: () => Date.now(),
};
