/** What the headers of one answer say of one limit. */
export type Reading = {
  readonly names: readonly string[];
  /** What the names of its three headers begin with, in lower case: "x-ratelimit-"; `null` where there are no three. */
  readonly triple: string | null;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** As a number, or as a date. */
  readonly reset: string | null;
  readonly windowSeconds: number | null;
  /** Whether it is in fields of the newest draft, `"a";r=5;t=30`, and not of an earlier one. */
  readonly isFields?: boolean;
};

/** By something that is the same in all answers of an endpoint. */
export type Readings = ReadonlyMap<string, Reading>;

type Headers = Readonly<Record<string, string>>;

/** What the headers of one answer, by their names in lower case, say of limits; a limit that two styles tell of once. */
export function readingsIn(headers: Headers): Readings {
  const structured = structuredReadings(headers);
  const triples = tripleReadings(headers);
  // Policies stand beside three headers too (drafts 3 to 6).
  return triples.size === 0 ? structured : withWindows(triples, structured);
}

/** `X-RateLimit-Limit`, `X-Rate-Limit-Limit`, `RateLimit-Limit`, each with what may follow: `-Minute`, `-Requests`. */
const limitName = /^((?:x-)?rate-?limit-)limit(-[a-z0-9-]+)?$/;

const secondsBySuffix: Readonly<Record<string, number>> = {
  '-second': 1,
  '-minute': 60,
  '-hour': 3_600,
  '-day': 86_400,
};

function tripleReadings(headers: Headers): Readings {
  const found = new Map<string, Reading>();
  for (const name of Object.keys(headers)) {
    const [, prefix, suffix = ''] = limitName.exec(name) ?? [];
    if (prefix === undefined) continue;
    const names = [name, `${prefix}remaining${suffix}`, resetName(headers, prefix, suffix)];
    const [limit, remaining, reset] = names.map((one) => headers[one] ?? null);
    // Whoever sends both styles says the same in both.
    if (found.size > 0 && suffix === '' && [...found.values()].some(({ limit: known }) => known !== null))
      continue;
    found.set(`triple${suffix}`, {
      names: names.filter((one) => headers[one] !== undefined).map(usuallyWritten),
      triple: suffix === '' ? prefix : null,
      limit: leadingInteger(limit ?? null),
      remaining: leadingInteger(remaining ?? null),
      reset: resetText(reset ?? null),
      windowSeconds: secondsBySuffix[suffix] ?? windowIn(limit ?? null),
    });
  }
  return found;
}

function resetName(headers: Headers, prefix: string, suffix: string): string {
  const own = `${prefix}reset${suffix}`;
  return headers[own] === undefined ? `${prefix}reset` : own;
}

/** `RateLimit` and `RateLimit-Policy` of the IETF draft: `"a";r=5;t=30` and `"a";q=10;w=60`; before, `limit=10, remaining=5, reset=30`. */
function structuredReadings(headers: Headers): Readings {
  const policies = itemsOf(headers['ratelimit-policy'] ?? headers['x-ratelimit-policy'] ?? '');
  const state = headers['ratelimit'] ?? headers['x-ratelimit'] ?? '';
  const plain = parametersOf(state.replaceAll(',', ';'));
  const states = itemsOf(state);
  const all = ['ratelimit', 'x-ratelimit', 'ratelimit-policy', 'x-ratelimit-policy'];
  const names = all.filter((name) => headers[name] !== undefined);
  const found = new Map<string, Reading>();
  for (const [at, { name, parameters }] of (policies.length > 0 ? policies : states).entries()) {
    const own = states.find((one) => one.name === name)?.parameters ?? new Map<string, string>();
    const value = (key: string, old: string): string | null =>
      own.get(key) ?? (at === 0 ? (plain.get(old) ?? null) : null);
    found.set(`policy-${at}`, {
      names: names.map(usuallyWritten),
      triple: null,
      isFields: own.has('r') && parameters.has('q'),
      limit: leadingInteger(
        parameters.get('q') ?? (/^\d+$/.test(name) ? name : (plain.get('limit') ?? null)),
      ),
      remaining: leadingInteger(value('r', 'remaining')),
      reset: resetText(value('t', 'reset')),
      windowSeconds: leadingInteger(parameters.get('w') ?? null),
    });
  }
  return found;
}

/** Windows that policies say, for limits that have three headers of their own. */
function withWindows(triples: Readings, structured: Readings): Readings {
  const policies = [...structured.values()].filter(({ windowSeconds }) => windowSeconds !== null);
  return new Map(
    [...triples].map(([id, reading]) => {
      const policy =
        policies.find(({ limit }) => limit === reading.limit) ??
        (policies.length === 1 ? policies[0] : undefined);
      return [
        id,
        {
          ...reading,
          names: [...reading.names, ...(policy === undefined ? [] : ['RateLimit-Policy'])],
          windowSeconds: reading.windowSeconds ?? policy?.windowSeconds ?? null,
        },
      ];
    }),
  );
}

type Item = { readonly name: string; readonly parameters: ReadonlyMap<string, string> };

/** The members of a list of structured fields, as far as limits need them. */
function itemsOf(text: string): readonly Item[] {
  return text
    .split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .filter((item) => item.trim() !== '')
    .map((item) => {
      const [name = ''] = item.trim().split(';');
      return { name: name.replaceAll('"', '').trim(), parameters: parametersOf(item) };
    });
}

function parametersOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(';').flatMap((part) => {
      const [, name, value] = /^\s*([a-z]+)\s*=\s*"?([^"]*)"?\s*$/i.exec(part) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
    }),
  );
}

/** The number that a value begins with: `100, 100;w=60` says 100. */
function leadingInteger(text: string | null): number | null {
  const [, digits] = /^\s*(\d{1,12})(?:\.0+)?\s*(?:[,;].*)?$/.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The window in the value of a limit (draft 3): `100, 100;w=60`. */
function windowIn(text: string | null): number | null {
  const [, digits] = /;\s*w=(\d{1,9})/.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
}

/** `1m30s`, `6s`, `120ms`. */
const durationPattern = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/;

/** A number as it stands, a duration in seconds, or a date; `null` for anything else. */
function resetText(text: string | null): string | null {
  const said = text?.trim() ?? '';
  if (/^\d{1,15}(?:\.\d{1,9})?$/.test(said)) return said;
  const [whole, hours, minutes, seconds, ms] = durationPattern.exec(said) ?? [];
  if (whole !== undefined && whole !== '') {
    const all = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
    return String(all + Number(ms ?? 0) / 1_000);
  }
  return /^[A-Z][a-z]{2}, |^\d{4}-\d{2}-\d{2}T/.test(said) && !Number.isNaN(Date.parse(said)) ? said : null;
}

/** `x-ratelimit-limit` as `X-RateLimit-Limit`. */
function usuallyWritten(name: string): string {
  return name
    .replace('ratelimit', 'rateLimit')
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('-');
}
