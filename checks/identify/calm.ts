/** Second's share at which a run begins: whole seconds after it are then never a boundary of the wall clock. */
const anchorShare = 0.45;
const anchorShareMax = 0.6;

/**
 * From when on, at or after a moment, no boundary of the wall clock falls between the first request and the end of the first
 * burst. ms since the Unix epoch.
 */
export function calmFromMs(nowMs: number, windowMs: number): number {
  const share = (nowMs % 1_000) / 1_000;
  const waits = share >= anchorShare && share <= anchorShareMax ? 0 : (anchorShare - share + 1) % 1;
  let ms = nowMs + waits * 1_000;
  const [before, after] = [Math.min(1_500, windowMs / 40), Math.min(6_000, windowMs / 8)];
  const sinceMs = ms % windowMs;
  if (sinceMs < before) ms += 1_000 * Math.ceil((before - sinceMs) / 1_000);
  else if (windowMs - sinceMs < after) ms += 1_000 * Math.ceil((windowMs - sinceMs + before) / 1_000);
  return ms;
}
