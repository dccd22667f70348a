import { keyedReadings } from './limit-keys.ts';
import type { AnswerHeaders, Reading, Readings } from './limit-reading.ts';
import { readingsWithoutLimit } from './limit-remains.ts';
import { tripleReadings } from './limit-triples.ts';
import { leadingInteger, resetText, usuallyWritten } from './limit-values.ts';

/** What the headers of one answer, by their names in lower case, say of limits; a limit that two styles tell of once. */
export function readingsIn(headers: AnswerHeaders): Readings {
  const structured = structuredReadings(headers);
  const triples = tripleReadings(headers);
  // Policies stand beside three headers too (drafts 3 to 6).
  if (triples.size > 0) return withWindows(triples, structured);
  const isKnown = structured.size > 0 && [...structured.values()].every(({ fields }) => fields !== null);
  const keyed = isKnown ? structured : keyedReadings(headers);
  const found = keyed.size === 0 ? structured : keyed;
  return found.size === 0 ? readingsWithoutLimit(headers) : found;
}

/** `RateLimit` and `RateLimit-Policy` of the IETF draft: `"a";r=5;t=30` and `"a";q=10;w=60`; before, `limit=10, remaining=5, reset=30`. */
function structuredReadings(headers: AnswerHeaders): Readings {
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
      own: policies.length > 1 || states.length > 1 ? null : ownKeys(headers, parameters),
      fields: fieldsStyle(headers, { isNew: own.has('r') && parameters.has('q'), plain }),
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

/** Fields that begin with `X-`, as headers of which each says several things by keys. */
function ownKeys(headers: AnswerHeaders, policy: ReadonlyMap<string, string>): Reading['own'] {
  const state = parametersOf(headers['x-ratelimit'] ?? '');
  if (headers['ratelimit'] !== undefined || !state.has('r')) return null;
  const said = headers['ratelimit-policy'] === undefined ? 'X-RateLimit-Policy' : 'RateLimit-Policy';
  return {
    limit: policy.has('q') ? { name: said, key: 'q' } : null,
    remaining: { name: 'X-RateLimit', key: 'r' },
    reset: state.has('t') ? { name: 'X-RateLimit', key: 't' } : null,
  };
}

/** Fields of one name may be of an earlier draft; those that begin with `X-` are of none. */
function fieldsStyle(
  headers: AnswerHeaders,
  { isNew, plain }: { readonly isNew: boolean; readonly plain: ReadonlyMap<string, string> },
): Reading['fields'] {
  if (headers['ratelimit'] === undefined) return null;
  if (isNew) return 'ietf';
  return ['limit', 'remaining', 'reset'].every((name) => plain.has(name)) ? 'ietf-draft-7' : null;
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
