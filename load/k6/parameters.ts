import type { Scope } from '../../contract/scopes.ts';

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

/** Everything that a scenario is told. The runner fills it in from checked settings; see `run-scenario.ts`. */
export type Parameters = {
  readonly scenario: string;
  readonly scope: Scope;
  readonly runId: string;
  readonly userAgent: string;
  /** Id of the clock that its exchanges are timed by. */
  readonly clock: string;
  /** Base URL of the node under load; its path is a prefix of the request's path. */
  readonly baseUrl: string;
  /** Position of that base URL in the deployment's settings. */
  readonly node: number;
  readonly request: RequestSpec;
  readonly keyAlias: string;
  /** Requests sent at once with the key. */
  readonly burst: number;
  /** Requests without a key sent before them, to open connections; 0 where the deployment wants none. */
  readonly warmUp: number;
  readonly timeoutMs: number;
  readonly bodyCharactersMax: number;
  readonly headerCharactersMax: number;
};

/** The API key travels alone in its variable, so that no other text ever has to be kept out of sight. */
export const keyVariable = 'CONFORMANCE_LOAD_KEY';
export const parametersVariable = 'CONFORMANCE_LOAD_PARAMETERS';

/**
 * The scenario's parameters and key from k6's `__ENV`.
 * Guards, not a schema: zod inside k6 costs gigabytes at 300 VUs.
 * @throws naming the variable or field that is unusable, without its value.
 */
export function readParameters(
  env: Readonly<Record<string, string | undefined>>,
  scope: Scope,
): { readonly parameters: Parameters; readonly key: string } {
  // A file that was made into a Secret often ends with a line break.
  const key = env[keyVariable]?.trim();
  if (key === undefined || key === '') throw new Error(`${keyVariable} is not set: it holds the API key`);
  const text = env[parametersVariable];
  if (text === undefined)
    throw new Error(`${parametersVariable} is not set: start this with "conformance load"`);
  const parameters = parseParameters(text);
  if (parameters.scope !== scope) throw unusable('scope', `must be "${scope}" for this scenario`);
  return { parameters, key };
}

const textFields = ['scenario', 'scope', 'runId', 'userAgent', 'clock', 'baseUrl', 'keyAlias'] as const;

/** Smallest and largest value of each number; the runner holds its own settings against the same table. */
export const numberRanges = {
  node: [0, 15],
  burst: [1, 10_000],
  warmUp: [0, 10_000],
  timeoutMs: [100, 60_000],
  bodyCharactersMax: [1, 65_536],
  headerCharactersMax: [1, 65_536],
} as const satisfies Partial<Record<keyof Parameters, readonly [min: number, max: number]>>;

function parseParameters(text: string): Parameters {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(`${parametersVariable} is not a JSON object`);
  for (const name of textFields) {
    if (typeof value[name] !== 'string' || value[name] === '') throw unusable(name, 'must be a text');
  }
  for (const [name, [min, max]] of Object.entries(numberRanges)) {
    const number = value[name];
    if (!Number.isInteger(number) || Number(number) < min || Number(number) > max) {
      throw unusable(name, `must be an integer from ${min} to ${max}`);
    }
  }
  const { request } = value;
  if (!isObject(request) || typeof request['method'] !== 'string' || typeof request['path'] !== 'string') {
    throw unusable('request', 'must have a method and a path');
  }
  if (!isObject(request['headers'])) throw unusable('request.headers', 'must be an object');
  return value as unknown as Parameters;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unusable(field: string, what: string): Error {
  return new Error(`${parametersVariable}: ${field} ${what}`);
}
