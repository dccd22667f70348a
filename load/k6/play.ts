import { sleep } from 'k6';
import { windowMsAtLeast } from '../../contract/bounds.ts';
import { type Lane, originMsOf } from '../plan/lane.ts';
import {
  fileBytesAt,
  type LaneParameters,
  type PlacedWave,
  type StreamPart,
  type WavesPart,
} from './parameters.ts';
import {
  bodyOf,
  type Count,
  countIn,
  type LaneContext,
  type Pattern,
  patternOf,
  type Ready,
  type Send,
  senderOf,
  togetherOf,
} from './send.ts';

/** Sends a client's requests: in a stream one at each iteration, in waves the whole share of the client. */
export type Part = { readonly kind: Lane['kind']; readonly send: Send };

/**
 * A client's part in a lane, from the `LaneParameters` as JSON and the number of the client's first iteration. In waves
 * that number says which of the lane's clients it is.
 * @throws where k6's command line replaces the scenarios.
 */
export function partOf(text: string | undefined, rest: Omit<LaneContext, 'lane'>, turn: number): Part {
  if (text === undefined)
    throw new Error(
      'k6 plays none of the lanes: start it without --vus, --iterations, --duration or --stage',
    );
  const lane = JSON.parse(text) as LaneParameters;
  const context = { lane, ...rest, count: countOf(lane, rest.started) };
  const send = lane.kind === 'waves' ? wavesOf(lane, context, turn) : streamOf(lane, context);
  return { kind: lane.kind, send };
}

/** How a lane's answers are counted; `undefined` where they are not. */
function countOf(lane: LaneParameters, { startMs, startedAtMs }: LaneContext['started']): Count | undefined {
  const { countedFromMs, windowMs } = lane;
  if (countedFromMs === undefined) return undefined;
  if (countedFromMs === null) return countIn(null, lane);
  const originMs = lane.kind === 'waves' ? originMsOf(lane, startMs) : startMs + lane.startMs;
  const fromMs = originMs + countedFromMs;
  // The wall clock truncates to whole milliseconds.
  const runFromMs = startedAtMs + (fromMs - startMs) - 1;
  return countIn({ fromMs, runFromMs, lengthMs: windowMsAtLeast(windowMs) }, lane);
}

/** What a client sends at once, when (ms by the wall clock), and the wave after it. */
type ReadyWave = { readonly atMs: number; readonly send: Send; readonly next: ReadyWave | null };

/**
 * A client's share of each wave. It is a linked list, because iterating over an array costs each client memory, `for …
 * of` most of all.
 */
function wavesOf(lane: WavesPart, context: LaneContext, client: number): Send {
  const originMs = originMsOf(lane, context.started.startMs);
  let first: ReadyWave | null = null;
  for (let at = lane.waves.length - 1; at >= 0; at -= 1) {
    const wave = lane.waves[at] as PlacedWave;
    const atMs = originMs + wave.atMs;
    first = { atMs, send: togetherOf(shareOf(wave, lane, context, client)), next: first };
  }
  return () => {
    for (let wave = first; wave !== null; wave = wave.next) {
      const leftMs = wave.atMs - Date.now();
      if (leftMs > 0) sleep(leftMs / 1_000);
      wave.send(0);
    }
  };
}

/**
 * A client's share of a wave. Bodies are made in advance: otherwise connections would time out, and a burst would
 * spread out.
 */
function shareOf(wave: PlacedWave, lane: WavesPart, context: LaneContext, client: number): readonly Ready[] {
  const { purpose, count } = wave;
  const { fileBytesMax } = lane;
  const patterns: Record<string, Pattern> = {};
  const share: Ready[] = [];
  for (let n = client; n < count; n += lane.vus) {
    const keyAt = lane.keys.first + (n % lane.keys.count);
    const node = n % lane.nodes;
    const name = `${keyAt} ${node}`;
    patterns[name] ??= patternOf(context, { purpose, keyAt, node });
    const spread = fileBytesMax === undefined ? undefined : fileBytesAt(n, count, fileBytesMax);
    const body = bodyOf(context.lane.payload, spread);
    share[share.length] = { pattern: patterns[name], index: wave.firstIndex + n, body };
  }
  return share;
}

function streamOf(lane: StreamPart, context: LaneContext): Send {
  const { keys, nodes, purpose } = lane;
  const body = bodyOf(context.lane.payload);
  const sendTo = (keyAt: number, node: number): Send =>
    senderOf(patternOf(context, { purpose, keyAt, node }), lane, body);
  if (keys.count === 1 && nodes === 1) return sendTo(keys.first, 0);
  // The last sender of each node, with the position of its key. There may be too many keys to keep more.
  const known: { readonly keyAt: number; readonly send: Send }[] = [];
  return (turn) => {
    const node = turn % nodes;
    const keyAt = keys.first + (turn % keys.count);
    let last = known[node];
    if (last === undefined || last.keyAt !== keyAt) {
      last = { keyAt, send: sendTo(keyAt, node) };
      known[node] = last;
    }
    last.send(turn);
  };
}
