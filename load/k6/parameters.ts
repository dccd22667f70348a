import type { Scope } from '../../contract/scopes.ts';
import type { PlanSetting } from './lane.ts';

/**
 * A deployment's `RequestTemplate`, spelled out: its file leans on `URL`, which k6 does not have. The runner assigns
 * the one to the other, so the compiler keeps them alike.
 */
export type RequestSpec = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodySpec | undefined;
};

export type BodySpec =
  | { readonly json: unknown }
  | { readonly text: string; readonly contentType: string }
  | { readonly file: FileSpec };

/** One file as `multipart/form-data`. */
export type FileSpec = {
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
};

/** Everything that a scenario is told. The runner fills it in from checked settings; see `settle-parameters.ts`. */
export type Parameters = {
  readonly scenario: string;
  readonly runId: string;
  readonly userAgent: string;
  /** Id of the clock that its exchanges are timed by. */
  readonly clock: string;
  /** Base URLs of the nodes in the order of the deployment's settings; the path of each is a prefix of all requests. */
  readonly baseUrls: readonly string[];
  readonly requests: Readonly<Partial<Record<Scope, RequestSpec>>>;
  /** Aliases of the keys by their position; those beyond the list are called by their number. */
  readonly keyAliases: readonly string[];
  readonly setting: PlanSetting;
  /** When to start, ms by the wall clock; 0 is at once. Several k6 processes of one scenario share it. */
  readonly startAtMs: number;
  readonly timeoutMs: number;
  readonly bodyCharactersMax: number;
  readonly headerCharactersMax: number;
  /** First line of the trace, where nobody but the script itself writes one. */
  readonly header?: TraceStart;
};

/** A trace's header without what is known at the start only. */
export type TraceStart = Readonly<Record<string, unknown>>;

/** The API keys travel alone, so that no other text ever has to be kept out of sight: one, or several with spaces. */
export const keyVariable = 'CONFORMANCE_LOAD_KEY';
/** Path of a file that holds the keys, one a line, where they are too many for a variable. */
export const keyFileVariable = 'CONFORMANCE_LOAD_KEY_FILE';
export const parametersVariable = 'CONFORMANCE_LOAD_PARAMETERS';

/** Smallest and largest value of each number. */
const numberRanges = {
  startAtMs: [0, Number.MAX_SAFE_INTEGER],
  timeoutMs: [100, 60_000],
  bodyCharactersMax: [1, 65_536],
  headerCharactersMax: [1, 65_536],
} as const satisfies Partial<Record<keyof Parameters, readonly [min: number, max: number]>>;

/** The same for a plan's; the runner holds its own settings against this table. */
export const settingRanges = {
  windowMs: [1_000, 3_600_000],
  nodes: [1, 16],
  keys: [1, 10_000],
  windows: [1, 1_440],
  vus: [1, 1_000],
  processes: [1, 100],
} as const satisfies Partial<Record<keyof PlanSetting, readonly [min: number, max: number]>>;

/**
 * A scenario's parameters from their JSON.
 * Guards, not a schema: zod inside k6 costs gigabytes at 300 VUs.
 * @throws naming the field that is unusable, without its value.
 */
export function parseParameters(text: string | undefined): Parameters {
  if (text === undefined)
    throw new Error(`${parametersVariable} is not set: start this with "conformance load"`);
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(`${parametersVariable} is not a JSON object`);
  for (const name of ['scenario', 'runId', 'userAgent', 'clock'] as const) {
    if (typeof value[name] !== 'string' || value[name] === '') throw unusable(name, 'must be a text');
  }
  checkNumbers(value, numberRanges, '');
  const { setting, requests, baseUrls, keyAliases } = value;
  if (!isObject(setting)) throw unusable('setting', 'must be an object');
  checkNumbers(setting, settingRanges, 'setting.');
  if (!isTexts(setting['scopes']) || setting['scopes'].length === 0)
    throw unusable('setting.scopes', 'must list the scopes');
  if (!isObject(setting['limits'])) throw unusable('setting.limits', 'must be an object');
  if (!isTexts(baseUrls) || baseUrls.length === 0) throw unusable('baseUrls', 'must list the base URLs');
  if (!isTexts(keyAliases)) throw unusable('keyAliases', 'must be a list of texts');
  if (!isObject(requests)) throw unusable('requests', 'must be an object');
  for (const [scope, request] of Object.entries(requests)) checkRequest(`requests.${scope}`, request);
  return value as unknown as Parameters;
}

/**
 * The keys from the text of the variable or the file that holds them.
 * @throws where they are fewer than the parameters say.
 */
export function parseKeys(text: string | undefined, keys: number): readonly string[] {
  const given = text ?? '';
  // A regular expression costs every client of k6 memory, and most have one key.
  const found = hasSpace(given) ? given.split(/\s+/).filter((key) => key !== '') : [given];
  if (found.length === 0 || found[0] === '')
    throw new Error(`${keyVariable} is not set: it holds the API key`);
  if (found.length < keys) throw new Error(`${keyVariable} holds ${found.length} API keys of ${keys}`);
  return found;
}

function hasSpace(text: string): boolean {
  return text.trim() !== text || text.includes(' ') || text.includes('\n') || text.includes('\t');
}

/** What a key is called in traces, by its position. */
export function keyAliasAt(aliases: readonly string[], position: number): string {
  return aliases[position] ?? `key-${position + 1}`;
}

function checkRequest(field: string, request: unknown): void {
  if (!isObject(request) || typeof request['method'] !== 'string' || typeof request['path'] !== 'string') {
    throw unusable(field, 'must have a method and a path');
  }
  if (!isObject(request['headers'])) throw unusable(`${field}.headers`, 'must be an object');
}

type Ranges = Readonly<Record<string, readonly [min: number, max: number]>>;

function checkNumbers(value: Readonly<Record<string, unknown>>, ranges: Ranges, prefix: string): void {
  for (const [name, [min, max]] of Object.entries(ranges)) {
    const number = value[name];
    if (!Number.isInteger(number) || Number(number) < min || Number(number) > max) {
      throw unusable(`${prefix}${name}`, `must be an integer from ${min} to ${max}`);
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unusable(field: string, what: string): Error {
  return new Error(`${parametersVariable}: ${field} ${what}`);
}
