import type { Scope } from '../../contract/scopes.ts';
import type { Lane } from '../plan/lane.ts';

/**
 * Everything that k6 is told of a scenario. The runner fills it in from checked settings: what can be worked out before
 * k6 starts is worked out there, for k6's interpreter is slow and each of its clients holds a program of its own.
 */
export type Parameters = {
  readonly scenario: string;
  readonly runId: string;
  /** Id of the clock that its exchanges are timed by. */
  readonly clock: string;
  readonly windowMs: number;
  /** By their names. */
  readonly lanes: Readonly<Record<string, PlacedLane>>;
  /** What stands for each scope that a lane sends to. */
  readonly requests: Readonly<Partial<Record<Scope, ReadyRequest>>>;
  readonly nodes: number;
  readonly keys: number;
  /** Aliases of the keys by their position; those beyond the list are called by their number. */
  readonly keyAliases: readonly string[];
  /** When to start, ms by the wall clock; 0 is at once. Several k6 processes of one scenario share it. */
  readonly startAtMs: number;
  readonly timeoutMs: number;
  /** k6's options as JSON, a text here: they are read once, and held by every client. */
  readonly options: string;
  /** What the script writes around its exchanges, where nobody else does. */
  readonly around?: TraceAround;
};

/** A lane with its place in the scenario. */
export type PlacedLane = Lane & {
  /** Requests of the lanes before it. */
  readonly firstIndex: number;
};

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
/** Names the lane that an iteration belongs to. k6 sets it for each of its scenarios. */
export const laneVariable = 'CONFORMANCE_LOAD_LANE';

/**
 * The parameters from the text that holds them. The runner made them of checked settings.
 * @throws where there is no such text.
 */
export function parseParameters(text: string | undefined): Parameters {
  if (text === undefined)
    throw new Error(`${parametersVariable} is not set: start this with "conformance load"`);
  return JSON.parse(text) as Parameters;
}

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
