import { endedMs, type History, requests, type Step, send, type Target } from './steps.ts';

/**
 * How a run that announces itself spreads, within a window of a minute, what it sends between the fill and the quiet part. The last
 * places of the fill are taken one after another, on connections that are open by then. Where they are answered quickly, the single
 * places can be taken closer to each other, and the run ends sooner by as much.
 */
export type Pace = {
  /**
   * When places are taken one by one, ms after the first request. The moments lie at well spread phases of every part of a second down
   * to a hundredth: places that are held 12 ms longer than the clocks can explain leave no phase of any part to explain them. Found by
   * trying, for parts longer than 70 ms with what is known by when a place came back, and for places that are held longer in slower
   * networks.
   */
  readonly singlesMs: readonly number[];
  /** When the saturation begins, ms after the first request. */
  readonly saturationMs: number;
  /**
   * When requests confirm that the window is full, ms after the saturation: the waits of whole seconds that they announce then end at
   * different fractions of a second, all of them before the single places come back. One of these fractions is beyond a half: what
   * rounds a wait announces less than it then.
   */
  readonly confirmAtMs: readonly number[];
};

/** The window that these moments are made for, ms. */
export const madeForMs = 60_000;

export const usualPace: Pace = {
  singlesMs: [1_301, 1_421, 1_546, 1_765, 1_865, 1_979, 2_061, 2_160, 2_256, 2_356, 2_461, 2_736],
  saturationMs: 3_000,
  confirmAtMs: [130, 300, 550, 810],
};

const quickPace: Pace = {
  singlesMs: [650, 744, 808, 955, 1_049, 1_169, 1_253, 1_445, 1_629, 1_686, 1_848, 1_930],
  saturationMs: 2_050,
  confirmAtMs: [60, 180, 330, 490],
};

/** When the last places of the fill are taken, ms after the first request. */
const lastOfFillMs = [250, 330] as const;

/** An answer within this is quick, ms: less than a third of what lies between the single places that are closest to each other. */
const quickMs = 18;

type Paced = Pick<Target, 'vary' | 'windowMs'>;

/** Whether answers may set the pace: in a shorter window than a minute nothing is won. */
function isPaced({ vary, windowMs }: Paced): boolean {
  return vary === null && windowMs >= madeForMs;
}

/** How many of so many places of a fill are taken one after another. */
export function takenAfterFill(target: Paced, places: number): number {
  const count = lastOfFillMs.length;
  return isPaced(target) && places > count ? count : 0;
}

/** The next of these places, or what is waited for before it; `null` where none is left. */
export function takeLastOfFill(target: Target, { anchor, by }: History, nowMs: number): Step | null {
  const atMs = lastOfFillMs[by('fill-last').length];
  if (atMs === undefined || !isPaced(target)) return null;
  const dueMs = anchor.sentMs + (atMs * target.windowMs) / madeForMs;
  if (nowMs < dueMs) return { kind: 'wait', why: 'filling a part of the window', untilMs: dueMs };
  return send('fill-last', requests(target, 1));
}

/** The pace that answers allow. */
export function paceOf({ windowMs }: Pick<Target, 'windowMs'>, { by }: Pick<History, 'by'>): Pace {
  const sent = by('fill-last');
  const areQuick = sent.every(
    (one) => one.outcome === 'admitted' && endedMs(one) - one.sentMs <= (quickMs * windowMs) / madeForMs,
  );
  return sent.length === lastOfFillMs.length && areQuick ? quickPace : usualPace;
}
