import { createLane, type Lane, type LaneClock } from '../pacer/lane.ts';
import { placeMarginMs } from '../pacer/pacer.ts';
import { ownMaxOf, type PacedSettings } from './settings.ts';

/** The lanes of one process, one for each scope and key. */
export type Lanes = {
  of(scope: string, key: string): Lane;
  waiting(): number;
  room(): Promise<void>;
};

/** Lanes that are kept before idle ones are looked for. */
const lanesKept = 64;

export function createLanes(settings: PacedSettings, clock: LaneClock): Lanes {
  const lanes = new Map<string, Lane>();
  const roomWanted = new Set<() => void>();
  let sweepAt = lanesKept;

  const isRoomy = (): boolean => [...lanes.values()].every((lane) => lane.waiting <= settings.queueMax / 2);
  const onShorter = (): void => {
    if (roomWanted.size === 0 || !isRoomy()) return;
    for (const resolve of roomWanted) resolve();
    roomWanted.clear();
  };
  /** Keys come and go: what is as good as new is dropped, each time that there are twice as many. */
  const sweep = (): void => {
    for (const [name, lane] of lanes) if (lane.idleFromMs() <= clock.nowMs()) lanes.delete(name);
    sweepAt = Math.max(lanesKept, 2 * lanes.size);
  };

  return {
    of(scope, key) {
      const name = JSON.stringify([scope, key]);
      const known = lanes.get(name);
      if (known !== undefined) return known;
      if (lanes.size >= sweepAt) sweep();
      const { windowMs, share, queueMax, scopes } = settings;
      const limit = scopes[scope]?.limit ?? 1;
      const own = { limit, ownMax: ownMaxOf(limit, share), windowMs, marginMs: placeMarginMs(windowMs) };
      const lane = createLane({ ...own, queueMax, onShorter }, clock);
      lanes.set(name, lane);
      return lane;
    },
    waiting: () => [...lanes.values()].reduce((sum, lane) => sum + lane.waiting, 0),
    room: () => (isRoomy() ? Promise.resolve() : new Promise((resolve) => roomWanted.add(resolve))),
  };
}
