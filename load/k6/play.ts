import { sleep } from 'k6';
import { fileBytesAt, fileBytesMin } from './file-sizes.ts';
import { type Lane, originMsOf, type StreamLane, type WaveLane } from './lane.ts';
import type { Parameters } from './parameters.ts';
import type { LoadKey, PlannedRequest, RequestPlanner } from './request.ts';
import { type Ready, type Repeat, ready, repeated, send } from './send.ts';

/** What a client of k6 plays a lane with. */
export type Player = {
  readonly parameters: Parameters;
  readonly plan: RequestPlanner;
  readonly keyAt: (position: number) => LoadKey;
  /** When the scenario began, ms by the wall clock. */
  readonly startMs: number;
  /** Requests of the lanes before this one. */
  readonly firstIndex: number;
};

/** One iteration of k6. Of waves: which of the lane's clients; of a stream: which request. From 0, over all k6 processes. */
export type Play = (share: number) => void;

/** A client's iterations of a lane. */
export function playing(lane: Lane, player: Player): Play {
  return lane.kind === 'waves' ? (share) => playWaves(lane, player, share) : playStream(lane, player);
}

/** Opens connections, then sends this client's share of each wave when its time has come. */
function playWaves(lane: WaveLane, player: Player, share: number): void {
  const { parameters, startMs } = player;
  const shareOf = (count: number): readonly number[] => {
    const mine: number[] = [];
    for (let n = share; n < count; n += lane.vus) mine.push(n);
    return mine;
  };
  const warm = shareOf(lane.warmUp).map((n) => warmRequest(lane, player, n));
  let before = lane.warmUp;
  const waves: { readonly atMs: number; readonly ready: Ready }[] = [];
  for (const wave of lane.waves) {
    const planned = shareOf(wave.count).map((n) => {
      const fileBytes =
        lane.fileBytesMax === undefined ? undefined : fileBytesAt(n, wave.count, lane.fileBytesMax);
      return keyedRequest(lane, player, { n: before + n, turn: n, purpose: wave.purpose, fileBytes });
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

/** Sends one request of a stream each time; an iteration beyond its last one sends nothing. */
function playStream(lane: StreamLane, player: Player): Play {
  // Of each node the last one, with the position of its key.
  const known: { readonly position: number; readonly repeat: Repeat }[] = [];
  return (share) => {
    if (share >= lane.count) return;
    const node = nodeOf(lane, player, share);
    const position = keyPositionOf(lane, share);
    let sender = known[node];
    if (sender === undefined || sender.position !== position) {
      const request = keyedRequest(lane, player, { n: share, turn: share, purpose: lane.purpose });
      sender = { position, repeat: repeated(request, player.parameters) };
      known[node] = sender;
    }
    sender.repeat(player.firstIndex + share);
  };
}

function keyPositionOf({ keys }: Lane, turn: number): number {
  return keys.first + (turn % keys.count);
}

type Place = {
  /** Position in the lane. */
  readonly n: number;
  /** Position in the wave or stream, by which keys and nodes take turns. */
  readonly turn: number;
  readonly purpose: string;
  readonly fileBytes?: number | undefined;
};

function keyedRequest(lane: Lane, player: Player, { n, turn, purpose, fileBytes }: Place): PlannedRequest {
  return player.plan({
    scope: lane.scope,
    index: player.firstIndex + n,
    purpose,
    key: player.keyAt(keyPositionOf(lane, turn)),
    credential: 'valid',
    node: nodeOf(lane, player, turn),
    fileBytes,
  });
}

function warmRequest(lane: WaveLane, player: Player, n: number): PlannedRequest {
  return player.plan({
    scope: lane.scope,
    index: player.firstIndex + n,
    purpose: 'warm',
    key: player.keyAt(lane.keys.first),
    credential: 'absent',
    node: nodeOf(lane, player, n),
    fileBytes: fileBytesMin,
  });
}

function nodeOf({ nodes }: Lane, { parameters }: Player, turn: number): number {
  return nodes === 'first' ? 0 : turn % parameters.setting.nodes;
}

function sleepUntil(atMs: number): void {
  const leftMs = atMs - Date.now();
  if (leftMs > 0) sleep(leftMs / 1_000);
}
