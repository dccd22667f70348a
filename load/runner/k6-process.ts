import { type Exchange, exchangeSchema } from '../../contract/exchange.ts';
import { maskedExchange } from '../../contract/secret/masked-exchange.ts';
import { maskerOf } from '../../contract/secret/masker.ts';
import { stars } from '../../contract/secret/wholes.ts';
import { type Parameters, parametersVariable } from '../k6/parameters.ts';
import { runChild } from './child.ts';
import { lastWords, whyIncomplete } from './completeness.ts';
import { followLines } from './console-file.ts';
import { type Environment, environmentForK6, heapGrowthOf } from './environment.ts';
import { type K6Extras, k6Arguments, prepareFiles } from './k6-command.ts';
import { readSummary } from './k6-summary.ts';
import { handingKeys } from './key-hand-over.ts';

export type K6ProcessOptions = {
  readonly k6: { readonly path: string };
  readonly script: string;
  readonly parameters: Parameters;
  /** The keys by their alias. */
  readonly secrets: ReadonlyMap<string, string>;
  /** The values of secret headers, by the names under which the script asks for them. */
  readonly values: readonly (readonly [name: string, value: string])[];
  /** A folder of its own. */
  readonly folder: string;
  /** The folder of the whole scenario, which may hold keys. */
  readonly scenarioFolder: string;
  /** The folder that relative paths of outputs start from. */
  readonly cwd: string;
  readonly env: Environment;
  /** The variables that make k6 take the way of the checks. */
  readonly transport: Readonly<Record<string, string>>;
  readonly extras: K6Extras;
  readonly part: { readonly at: number; readonly of: number };
  readonly timeoutMs: number;
  /** More exchanges than this cannot belong to the scenario. */
  readonly requestsMax: number;
  readonly signal?: AbortSignal | undefined;
  readonly onExchange: (exchange: Exchange) => void;
  readonly onDashboard: (url: string) => void;
};

/** How one process of k6 ended. `reason` is `null` where it recorded everything that it sent. */
export type K6ProcessEnd = {
  readonly reason: string | null;
  readonly exchanges: number;
  /** k6's own count; `null` where it wrote none. */
  readonly requestsSent: number | null;
  /** Arrivals that it left out because no client was free; those beyond the last request of a lane would have sent nothing. */
  readonly dropped: number;
  /** The last that it said, as the end of a reason. */
  readonly lastWords: string;
};

/** A burst takes 75 MB. k6 reads every body whole, and needs more than three times its length meanwhile. */
const k6MemoryBytesMax = 4 * 1024 ** 3;

/** Runs k6 once and reads the exchanges that it writes. */
export async function runK6Process(options: K6ProcessOptions): Promise<K6ProcessEnd> {
  const { k6, script, parameters, secrets, values, folder, env, extras, part, requestsMax } = options;
  const files = await prepareFiles(folder);
  let exchanges = 0;
  let strangeLines = 0;
  const others = values.map(([, value]) => value);
  const maskIn = keyMask(secrets, others);
  const unwritable = new AbortController();
  const onLine = (line: string): void => {
    const exchange = exchanges < requestsMax ? parseExchange(line, maskIn) : null;
    if (exchange === null) {
      strangeLines += 1;
      return;
    }
    exchanges += 1;
    options.onExchange(exchange);
  };
  // Nothing is sent that cannot be written down.
  const lines = await followLines(files.console, onLine, () => unwritable.abort());
  const words = lastWords([...secrets.values(), ...others]);
  const end = await handingKeys({ secrets: [...secrets.values()], values, folder }, ({ variables, handed }) =>
    runChild({
      command: k6.path,
      args: k6Arguments({ files, script, extras, part }),
      cwd: options.cwd,
      env: {
        ...environmentForK6(env, extras),
        ...options.transport,
        ...heapGrowthOf(Object.values(parameters.lanes)),
        [parametersVariable]: JSON.stringify(parameters),
        ...variables,
      },
      handed,
      timeoutMs: options.timeoutMs,
      memoryBytesMax: k6MemoryBytesMax,
      signal: AbortSignal.any([unwritable.signal, ...(options.signal === undefined ? [] : [options.signal])]),
      tiedFolder: options.scenarioFolder,
      // Standard output has k6's own summary, which is read from its file instead, and the address of its dashboard.
      onLine: (line, from) => {
        if (from === 'stderr') words.hear(line);
        else if (extras.dashboard === 'shown') tellDashboard(line, options.onDashboard);
      },
    }),
  ).finally(lines.finish);
  const summary = await readSummary(files.summary);
  const why = whyIncomplete({ end, summary, exchanges, strangeLines });
  return {
    reason: why === null ? null : `${why}${words.said()}`,
    exchanges,
    requestsSent: summary?.requests ?? null,
    dropped: summary?.dropped ?? 0,
    lastWords: words.said(),
  };
}

function tellDashboard(line: string, onDashboard: (url: string) => void): void {
  const url = /web dashboard:\s*(http:\S+)/.exec(line)?.[1];
  if (url !== undefined) onDashboard(url);
}

/** An exchange with its key masked. The script has masked it already; this does not rely on that. */
function parseExchange(line: string, maskIn: KeyMask): Exchange | null {
  try {
    const exchange = exchangeSchema.parse(JSON.parse(line));
    return maskedExchange(exchange, maskIn(exchange));
  } catch {
    return null;
  }
}

/** What masks the texts of an exchange. */
type KeyMask = (exchange: Exchange) => (text: string) => string;

/**
 * With very many keys, only the exchange's own key is looked for: a service does not answer with another client's key.
 */
function keyMask(secrets: ReadonlyMap<string, string>, others: readonly string[]): KeyMask {
  const maskOf = (texts: readonly string[]) =>
    maskerOf([...texts, ...others].map((secret) => ({ secret, maskOf: stars }))).mask;
  if (secrets.size <= fewKeys) {
    const mask = maskOf([...secrets.values()]);
    return () => mask;
  }
  const masks = new Map([...secrets].map(([alias, secret]) => [alias, maskOf([secret])]));
  const otherwise = maskOf([]);
  return ({ key }) => masks.get(key ?? '') ?? otherwise;
}

const fewKeys = 4;
