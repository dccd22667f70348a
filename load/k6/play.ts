import { originMsOf, type StreamLane, type WaveLane } from '../plan/lane.ts';
import { fileBytesAt, fileBytesMin } from './file-sizes.ts';
import { type PlacedLane, parseParameters } from './parameters.ts';
import {
  bodyOf,
  type Pattern,
  type Place,
  patternOf,
  type Ready,
  type Send,
  type Sending,
  senderOf,
  sendTogether,
} from './send.ts';

/** What a client of k6 plays with. */
export type Player = Pick<Sending, 'keys' | 'names'> & {
  /** The `Parameters` as JSON: each of hundreds of clients would hold what it needs but once. */
  readonly text: string | undefined;
  /** When the scenario began, ms by the wall clock. */
  readonly startMs: number;
};

type Placed<Kind> = Kind & PlacedLane;

/** What a client sends at a moment, ms by the wall clock. */
type ReadyWave = { readonly atMs: number; readonly ready: readonly Ready[] };

/**
 * A client's first iteration in a lane. Of waves it is the only one, and its number says which of the lane's clients
 * this is; of a stream it gives what sends the requests, this one not yet sent.
 */
export function begin(player: Player, name: string, turn: number): Send | null {
  const part = partOf(player, name, turn);
  if (typeof part === 'function') return part;
  part.forEach(({ ready, atMs }) => {
    sendTogether(ready, atMs);
  });
  return null;
}

function partOf(player: Player, name: string, turn: number): Send | readonly ReadyWave[] {
  const parameters = parseParameters(player.text);
  const lane = parameters.lanes[name];
  if (lane === undefined) throw new Error(`there is no lane ${name}`);
  const sending = { ...player, parameters };
  return lane.kind === 'waves' ? wavesOf(lane, sending, turn) : streamOf(lane, sending);
}

/** A client's share of the requests that open connections, which leave at once, and of each wave. */
function wavesOf(lane: Placed<WaveLane>, sending: Player & Sending, client: number): readonly ReadyWave[] {
  const { firstIndex, warmUp } = lane;
  const originMs = originMsOf(lane, sending.startMs, sending.parameters.windowMs);
  const warm = { lane, purpose: 'warm', credential: 'absent', count: warmUp, firstIndex } as const;
  const waves = [{ atMs: 0, ready: readyFor(warm, sending, client) }];
  let before = firstIndex + warmUp;
  lane.waves.forEach(({ purpose, count, atMs }) => {
    const wave = { lane, purpose, credential: 'valid', count, firstIndex: before } as const;
    waves.push({ atMs: originMs + atMs, ready: readyFor(wave, sending, client) });
    before += count;
  });
  return waves;
}

type PlacedWave = Pick<Place, 'purpose' | 'credential'> & {
  readonly lane: WaveLane;
  readonly count: number;
  readonly firstIndex: number;
};

/** What a client sends of a wave. Bodies are made ahead: connections would grow cold, and a burst wide. */
function readyFor(wave: PlacedWave, sending: Sending, client: number): readonly Ready[] {
  const { lane, purpose, credential, count, firstIndex } = wave;
  const { keys, nodes, vus, fileBytesMax } = lane;
  const { parameters } = sending;
  const payload = parameters.requests[lane.scope]?.payload ?? { kind: 'none' };
  const patterns: Record<string, Pattern> = {};
  const ready: Ready[] = [];
  for (let n = client; n < count; n += vus) {
    const keyAt = keys.first + (credential === 'valid' ? n % keys.count : 0);
    const node = nodes === 'first' ? 0 : n % parameters.nodes;
    const name = `${keyAt} ${node}`;
    patterns[name] ??= patternOf(sending, { lane, purpose, keyAt, credential, node });
    const sized = fileBytesMax === undefined ? undefined : fileBytesAt(n, count, fileBytesMax);
    const body = bodyOf(payload, credential === 'valid' ? sized : fileBytesMin);
    ready.push({ pattern: patterns[name], index: firstIndex + n, body });
  }
  return ready;
}

function streamOf(lane: Placed<StreamLane>, sending: Sending): Send {
  const { keys, purpose, scope } = lane;
  const { nodes, requests } = sending.parameters;
  const nodesCount = lane.nodes === 'first' ? 1 : nodes;
  const body = bodyOf(requests[scope]?.payload ?? { kind: 'none' });
  const sendTo = (keyAt: number, node: number): Send =>
    senderOf(patternOf(sending, { lane, purpose, keyAt, credential: 'valid', node }), lane, body);
  if (keys.count === 1 && nodesCount === 1) return sendTo(keys.first, 0);
  // Of each node the last one, with the position of its key: there may be very many keys.
  const known: { readonly keyAt: number; readonly send: Send }[] = [];
  return (turn) => {
    const node = turn % nodesCount;
    const keyAt = keys.first + (turn % keys.count);
    let last = known[node];
    if (last === undefined || last.keyAt !== keyAt) {
      last = { keyAt, send: sendTo(keyAt, node) };
      known[node] = last;
    }
    last.send(turn);
  };
}
