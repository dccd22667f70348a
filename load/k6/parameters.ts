import type { Options } from 'k6/options';
import type { Scope } from '../../contract/scopes.ts';
import type { Lane, StreamLane, WaveLane } from '../plan/lane.ts';

/**
 * Everything that k6 is told of a scenario. The runner fills it in from checked settings: what can be worked out before
 * k6 starts is worked out there, for k6's interpreter is slow. Client 0 alone reads all of it.
 */
export type Parameters = {
  readonly scenario: string;
  readonly runId: string;
  /** Id of the clock that its exchanges are timed by. */
  readonly clock: string;
  /** By their names. */
  readonly lanes: Readonly<Record<string, WavesPart | StreamPart>>;
  /** What stands for each scope that a lane sends to. */
  readonly requests: Readonly<Partial<Record<Scope, ReadyRequest>>>;
  readonly keys: number;
  /** Aliases of the keys by their position; those beyond the list are called by their number. */
  readonly keyAliases: readonly string[];
  /** When to start, ms by the wall clock; 0 is at once. Several k6 processes of one scenario share it. */
  readonly startAtMs: number;
  readonly timeoutMs: number;
  /** k6's own. Client 0 adds what the clients of each lane are told. */
  readonly options: Options;
  /** What the script writes around its exchanges, where nobody else does. */
  readonly around?: TraceAround;
};

/** When the scenario began, ms by the wall clock; and the names that it goes by. */
export type Started = { readonly startMs: number } & Pick<Parameters, 'runId' | 'clock'>;

/** A lane whose clients each send a share of every wave. */
export type WavesPart = PartOf<WaveLane> &
  Pick<WaveLane, 'vus' | 'fileBytesMax'> & {
    readonly windowMs: number;
    /** What the first wave needs between the start and the boundary; `null` where the origin is the start. */
    readonly leadMs: number | null;
    /** The first one opens connections. */
    readonly waves: readonly PlacedWave[];
  };

/** A lane whose requests leave one by one. */
export type StreamPart = PartOf<StreamLane> & Pick<StreamLane, 'purpose' | 'count'> & Placed;

type PartOf<Kind extends Lane> = Pick<Kind, 'kind' | 'scope' | 'keys'> & {
  /** Nodes of the service that get its requests in turn. */
  readonly nodes: number;
};

export type PlacedWave = Placed & {
  readonly purpose: string;
  /** `absent` sends no key. */
  readonly credential: 'valid' | 'absent';
  readonly count: number;
  /** After the lane's origin; `null`: at once. */
  readonly atMs: number | null;
};

/** Requests before it in the scenario. */
type Placed = { readonly firstIndex: number };

/** What the clients of a lane are told. Each of hundreds holds it: it is short, and of few objects. */
export type LaneParameters = (WavesPart | StreamPart) &
  ReadyRequest &
  Pick<Parameters, 'scenario' | 'timeoutMs' | 'keyAliases'>;

/** A request that lacks the key and its own id. */
export type ReadyRequest = {
  readonly method: string;
  readonly path: string;
  /** One for each node. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Payload;
};

export type Payload =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly file: FileSpec };

/** One file as `multipart/form-data`. */
export type FileSpec = {
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
};

export type TraceAround = {
  /** The trace's first line, but for what is known at the start only. */
  readonly header: Readonly<Record<string, unknown>>;
  /** Requests in all, and the scope that is named with them. */
  readonly requests: number;
  readonly scope: Scope;
};

/** The API keys travel alone, so that no other text ever has to be kept out of sight: one, or several with spaces. */
export const keyVariable = 'CONFORMANCE_LOAD_KEY';
/** Path of a file that holds the keys, one a line, where they are too many for a variable. */
export const keyFileVariable = 'CONFORMANCE_LOAD_KEY_FILE';
export const parametersVariable = 'CONFORMANCE_LOAD_PARAMETERS';
/** Holds the `LaneParameters` of the lane that an iteration belongs to. k6 sets it for each of its scenarios. */
export const laneVariable = 'CONFORMANCE_LOAD_LANE';

/**
 * The keys from the text of the variable or the file that holds them, with white space between them.
 * @throws where there is none.
 */
export function parseKeys(text: string | undefined): readonly string[] {
  const given = (text ?? '').trim();
  if (given === '') throw new Error(`${keyVariable} is not set: it holds the API key`);
  // A regular expression costs every client of k6 memory, and most have one key.
  const isOne = !given.includes(' ') && !given.includes('\n') && !given.includes('\t');
  return isOne ? [given] : given.split(/\s+/);
}

/** What a key is called in traces, by its position. */
export function keyAliasAt(aliases: readonly string[], position: number): string {
  return aliases[position] ?? `key-${position + 1}`;
}

/** Smallest file of a spread, bytes. */
export const fileBytesMin = 4;

/**
 * Size of the file at `index` of `count`, bytes: a geometric ladder from `fileBytesMin` to `bytesMax`, so that
 * small and large files meet in one burst (45 files up to 1 MiB are 4.3 MB together). Neighbours on the wire are
 * not neighbours on the ladder: even positions climb from the bottom, odd ones from the top.
 */
export function fileBytesAt(index: number, count: number, bytesMax: number): number {
  if (count < 2) return bytesMax;
  const step = index % 2 === 0 ? index / 2 : count - (index + 1) / 2;
  const ratio = bytesMax / fileBytesMin;
  return Math.round(fileBytesMin * ratio ** (step / (count - 1)));
}
