import { sleep } from 'k6';
import { fileBytesAt, fileBytesMin } from './file-sizes.ts';
import { type Lane, originMsOf, type StreamLane, type WaveLane } from './lane.ts';
import type { Parameters } from './parameters.ts';
import type { LoadKey, PlannedRequest, RequestPlanner } from './request.ts';
import { type Ready, ready, send, sendOne } from './send.ts';

/** One iteration of k6: a client's share of a lane. */
export type Playing = {
  readonly parameters: Parameters;
  readonly plan: RequestPlanner;
  readonly keyAt: (position: number) => LoadKey;
  /** When the scenario began, ms by the wall clock. */
  readonly startMs: number;
  /** Of waves: which of the lane's clients this is. Of a stream: which request. From 0, over all k6 processes. */
  readonly share: number;
  /** Requests of the lanes before this one. */
  readonly firstIndex: number;
};

/** Opens connections, then sends this client's share of each wave when its time has come. */
export function playWaves(lane: WaveLane, playing: Playing): void {
  const { parameters, startMs, share } = playing;
  const shareOf = (count: number): readonly number[] => {
    const mine: number[] = [];
    for (let n = share; n < count; n += lane.vus) mine.push(n);
    return mine;
  };
  const warm = shareOf(lane.warmUp).map((n) => warmRequest(lane, playing, n));
  let before = lane.warmUp;
  const waves: { readonly atMs: number; readonly ready: Ready }[] = [];
  for (const wave of lane.waves) {
    const planned = shareOf(wave.count).map((n) => {
      const fileBytes =
        lane.fileBytesMax === undefined ? undefined : fileBytesAt(n, wave.count, lane.fileBytesMax);
      return keyedRequest(lane, playing, { n: before + n, turn: n, purpose: wave.purpose, fileBytes });
    });
    waves.push({ atMs: wave.atMs, ready: ready(planned, parameters) });
    before += wave.count;
  }
  send(ready(warm, parameters), parameters);
  const originMs = originMsOf(lane, startMs, parameters.setting.windowMs);
  for (const wave of waves) {
    sleepUntil(originMs + wave.atMs);
    send(wave.ready, parameters);
  }
}

/** Sends one request of a stream; an iteration beyond its last one sends nothing. */
export function playStream(lane: StreamLane, playing: Playing): void {
  const { share, parameters } = playing;
  if (share >= lane.count) return;
  const request = keyedRequest(lane, playing, { n: share, turn: share, purpose: lane.purpose });
  sendOne(request, parameters);
}

type Place = {
  /** Position in the lane. */
  readonly n: number;
  /** Position in the wave or stream, by which keys and nodes take turns. */
  readonly turn: number;
  readonly purpose: string;
  readonly fileBytes?: number | undefined;
};

function keyedRequest(lane: Lane, playing: Playing, { n, turn, purpose, fileBytes }: Place): PlannedRequest {
  return playing.plan({
    scope: lane.scope,
    index: playing.firstIndex + n,
    purpose,
    key: playing.keyAt(lane.keys.first + (turn % lane.keys.count)),
    credential: 'valid',
    node: nodeOf(lane, playing, turn),
    fileBytes,
  });
}

function warmRequest(lane: WaveLane, playing: Playing, n: number): PlannedRequest {
  return playing.plan({
    scope: lane.scope,
    index: playing.firstIndex + n,
    purpose: 'warm',
    key: playing.keyAt(lane.keys.first),
    credential: 'absent',
    node: nodeOf(lane, playing, n),
    fileBytes: fileBytesMin,
  });
}

function nodeOf({ nodes }: Lane, { parameters }: Playing, turn: number): number {
  return nodes === 'first' ? 0 : turn % parameters.setting.nodes;
}

function sleepUntil(atMs: number): void {
  const leftMs = atMs - Date.now();
  if (leftMs > 0) sleep(leftMs / 1_000);
}
