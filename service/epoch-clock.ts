/** The wall clock at this moment, carried on by the monotonic one: a step of the wall clock moves no window. */
export function epochClock(): () => number {
  const originMs = Date.now() - performance.now();
  return () => originMs + performance.now();
}
