import type { Options } from 'k6/options';
import type { KeyPlace } from '../../contract/document/key-place.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { Lane, Placing, StreamLane, WaveLane } from '../plan/lane.ts';

/**
 * Everything that k6 gets to know about a scenario. The runner makes it from checked settings. It computes as much as
 * possible before k6 starts, because k6's interpreter is slow. Client 0 alone reads all of it.
 */
export type Parameters = {
  readonly scenario: string;
  readonly runId: string;
  /** Id of the clock of its exchanges. */
  readonly clock: string;
  /** By their names. */
  readonly lanes: Readonly<Record<string, WavesPart | StreamPart>>;
  /** The request for each scope that a lane sends to; one that carries no key, whatever others do, says so. */
  readonly requests: Readonly<Partial<Record<Scope, ReadyRequest & { readonly keyPlace?: null }>>>;
  readonly keys: number;
  /** Where requests carry their keys; `null`: nowhere. */
  readonly keyPlace: KeyPlace | null;
  /** Headers of all requests that are secret, with the names of the variables that hold their values. */
  readonly secretHeaders?: Readonly<Record<string, string>> | undefined;
  /** Aliases of the keys by their position; those beyond the list are called by their number. */
  readonly keyAliases: readonly string[];
  /** How long k6 compares its clocks before the first request, ms; 0 where a runner beside it does that. */
  readonly headStartMs: number;
  /** When to start, ms by the wall clock; 0 is at once. Several k6 processes of one scenario share it. */
  readonly startAtMs: number;
  readonly timeoutMs: number;
  /** k6's own options. Client 0 adds the parameters of each lane. */
  readonly options: Options;
  /** The header and end of the trace, where the script itself has to write them. */
  readonly around?: TraceAround;
};

/** When the scenario began, ms by the wall clock, and the names of its run. */
export type Started = {
  readonly startMs: number;
  /** The same by k6's own clock of the test run, which is monotonic, ms. */
  readonly startedAtMs: number;
} & Pick<Parameters, 'runId' | 'clock'>;

/** A lane whose clients each send a share of every wave. */
export type WavesPart = PartOf<WaveLane> &
  Placing &
  Pick<WaveLane, 'vus'> & {
    /** Largest file of a range of sizes, bytes, where the body is a file. Left out: the template's own size. */
    readonly fileBytesMax?: number;
    readonly waves: readonly PlacedWave[];
  };

/** A lane whose requests leave one by one. */
export type StreamPart = PartOf<StreamLane> &
  Pick<StreamLane, 'purpose' | 'count' | 'startMs' | 'windowMs'> &
  Placed;

type PartOf<Kind extends Lane> = Pick<Kind, 'kind' | 'scope' | 'keys'> & {
  /** How many nodes of the service get its requests in turn. */
  readonly nodes: number;
  /**
   * There where answers are counted: where the window begins of which a count may prove something, ms after the origin;
   * `null`: there is none.
   */
  readonly countedFromMs?: number | null;
};

export type PlacedWave = Placed & {
  readonly purpose: string;
  readonly count: number;
  /** After the lane's origin. */
  readonly atMs: number;
};

/** Requests before it in the scenario. */
type Placed = { readonly firstIndex: number };

/**
 * The parameters of a lane for its clients. Each of hundreds of clients holds them, so they are short and have few
 * objects.
 */
export type LaneParameters = (WavesPart | StreamPart) &
  ReadyRequest &
  Pick<Parameters, 'scenario' | 'timeoutMs' | 'keyAliases' | 'keyPlace' | 'secretHeaders'>;

/** A request that lacks the key and its own id. */
export type ReadyRequest = {
  readonly method: string;
  readonly path: string;
  /** One for each node. */
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Payload;
  /** Whether Go sends it again by itself where a connection that was kept alive breaks. */
  readonly isRepeatable: boolean;
  /** The statuses of a request over the limit. */
  readonly limitedStatuses: readonly number[];
  /** The statuses other than 2xx of a request that passes. */
  readonly passedStatuses: readonly number[];
  /** The rate-limit headers of answers, as Go spells them; an empty name where a document names none. */
  readonly headerNames: HeaderNames;
};

/** What the rate-limit headers are called, and that which says how long to wait. */
export type HeaderNames = {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
  readonly retryAfter: string;
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
  /** The first line of the trace, without the fields that are known only at the start. */
  readonly header: Readonly<Record<string, unknown>>;
  /** Requests in all, and the scope that the trace names with them. */
  readonly requests: number;
  readonly scope: Scope;
};

/** Holds nothing but the API keys, separated by spaces, so that no other text needs to be masked. */
export const keyVariable = 'CONFORMANCE_LOAD_KEY';
/** Path of a file that holds the keys, one a line: for a k6 that the runner starts, since others may see a variable. */
export const keyFileVariable = 'CONFORMANCE_LOAD_KEY_FILE';
/** Paths of our own certificate and its key, where a service asks for one. */
export const clientCertVariable = 'CONFORMANCE_LOAD_CLIENT_CERT';
export const clientKeyVariable = 'CONFORMANCE_LOAD_CLIENT_KEY';
export const parametersVariable = 'CONFORMANCE_LOAD_PARAMETERS';
/** The function of the script that compares k6's clocks; its `laneVariable` holds for how long, ms. */
export const lookFunction = 'look';
/** Holds the `LaneParameters` of the lane that an iteration belongs to. k6 sets it for each of its scenarios. */
export const laneVariable = 'CONFORMANCE_LOAD_LANE';

/** The keys of a person's own variables: `KEYS`, separated by spaces, else `API_KEY` and, for a second one, `API_KEY_B`. */
export function ownKeysIn(env: Readonly<Record<string, string | undefined>>): string {
  const { KEYS, API_KEY = '', API_KEY_B = '' } = env;
  // A second key does not stand in for the first.
  return KEYS ?? (API_KEY === '' ? '' : `${API_KEY} ${API_KEY_B}`);
}

/**
 * The keys from the text of a variable or a file, separated by white space.
 * @throws where there is none.
 */
export function parseKeys(text: string | undefined): readonly string[] {
  const given = (text ?? '').split('\n\n', 1).join('').trim();
  if (given === '') throw new Error('there is no API key: API_KEY has to hold it');
  // A regular expression costs every client of k6 memory, and most have one key.
  const isOne = !given.includes(' ') && !given.includes('\n') && !given.includes('\t');
  return isOne ? [given] : given.split(/\s+/);
}

/** The lines that follow the keys in a file, after an empty one: `VARIABLE=value` for each secret header. */
export function parseValues(text: string): readonly string[] {
  const at = text.indexOf('\n\n');
  return at === -1
    ? []
    : text
        .slice(at + 2)
        .trim()
        .split('\n');
}

/** The name of a key in traces, by its position. */
export function keyAliasAt(aliases: readonly string[], position: number): string {
  return aliases[position] ?? `key-${position + 1}`;
}

/** Smallest file of a range of sizes, bytes. */
export const fileBytesMin = 4;

/**
 * Size of the file at `index` of `count`, bytes: a geometric ladder from `fileBytesMin` to `bytesMax`, so that one
 * burst has small and large files (45 files up to 1 MiB are 4.3 MB together). Neighbours on the wire are not neighbours
 * on the ladder: even positions count from the smallest, odd ones from the largest.
 */
export function fileBytesAt(index: number, count: number, bytesMax: number): number {
  if (count < 2) return bytesMax;
  const step = index % 2 === 0 ? index / 2 : count - (index + 1) / 2;
  const ratio = bytesMax / fileBytesMin;
  return Math.round(fileBytesMin * ratio ** (step / (count - 1)));
}
