import type { Exchange } from './exchange.ts';
import { absent, noNumber, type ReadExchange, sharedFields, sharedFrom } from './exchange-bytes.ts';
import { fitsExchange } from './fits-exchange.ts';
import type { Texts } from './texts.ts';

/** What many exchanges have in common. */
export type Shared = Pick<Exchange, (typeof sharedFields)[number]>;

/** What exchanges have in common, each once, by number. */
export class SharedParts {
  readonly all: Shared[] = [];
  readonly #texts: Texts;
  readonly #byKey = new Map<string, number>();
  readonly #byHash = new Map<number, ReadShared[]>();
  /** Some numbers of those that are alike at a glance. */
  readonly #alike = new Map<number, readonly number[]>();

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  /** Found among few that are alike at a glance, then among all. */
  numberOf(exchange: Exchange): number {
    const glance = glanceAt(exchange);
    const alike = this.#alike.get(glance) ?? [];
    const found = alike.find((one) => isShared(this.all[one] as Shared, exchange));
    if (found !== undefined) return found;
    const id = sharedKey(exchange);
    const known = this.#byKey.get(id);
    const shared = known ?? this.all.push(sharedPart(exchange)) - 1;
    if (known === undefined) this.#byKey.set(id, shared);
    if (alike.length < alikeMax) this.#alike.set(glance, [...alike, shared]);
    return shared;
  }

  /** The same for an exchange that was read from its bytes; `null` where what it shares is of no exchange at all. */
  numberOfRead(read: ReadExchange): number | null {
    let hash = 0;
    for (let at = sharedFrom; at < read.length; at += 1)
      hash = (Math.imul(hash, 31) + (read[at] as number)) | 0;
    const alike = this.#byHash.get(hash);
    if (alike !== undefined) for (const one of alike) if (isSharedOf(one.values, read)) return one.shared;
    const values = read.slice(sharedFrom);
    const exchange = exchangeOfShared(values, this.#texts.all);
    if (!fitsExchange(exchange)) return null;
    const shared = this.numberOf(exchange);
    this.#byHash.set(hash, [...(alike ?? []), { values, shared }]);
    return shared;
  }
}

/** The same as it was read, and what it is. */
type ReadShared = { readonly values: Float64Array; readonly shared: number };

function isSharedOf(values: Float64Array, read: ReadExchange): boolean {
  for (let at = 0; at < values.length; at += 1) if (values[at] !== read[sharedFrom + at]) return false;
  return true;
}

/** An exchange of those values and of nothing else, to be asked whether it is one. */
function exchangeOfShared(values: Float64Array, texts: readonly (string | null)[]): Exchange {
  const shared: Record<string, unknown> = {};
  sharedFields.forEach((field, at) => {
    const value = values[at] as number;
    if (value !== absent) shared[field] = sharedValue(field, value, texts);
  });
  return { ...emptyExchange, ...(shared as Shared) };
}

function sharedValue(
  field: (typeof sharedFields)[number],
  value: number,
  texts: readonly (string | null)[],
): string | number | boolean | null {
  if (field === 'node' || field === 'status' || field === 'cost') return value === noNumber ? null : value;
  return field === 'sentOnce' ? true : (texts[value] as string | null);
}

const emptyExchange = {
  ...({ kind: 'exchange' } as const),
  ...{ index: 0, requestId: '', key: null, sentMs: 0, receivedMs: null },
  ...{ wallSentMs: null, wallReceivedMs: null, retryAfter: null, date: null, body: null },
  headers: { limit: null, remaining: null, reset: null },
};

/** No value of one field can be taken for that of another one: each has its length before it. */
function sharedKey(exchange: Exchange): string {
  let id = '';
  for (const field of sharedFields) {
    const value = exchange[field];
    id += typeof value === 'string' ? `${value.length}:${value}` : `${String(value)};`;
  }
  return id;
}

/** A number that exchanges which have all of that in common have in common too. */
function glanceAt({ path, purpose, status, scope, outcome }: Exchange): number {
  const lengths = path.length + 64 * purpose.length;
  return lengths * 1_024 + (status ?? 0) + 7 * scope.length + 97 * outcome.length;
}

/** So many are compared one by one: texts of failures may differ each time. */
const alikeMax = 16;

function isShared(shared: Shared, exchange: Exchange): boolean {
  for (const field of sharedFields) if (shared[field] !== exchange[field]) return false;
  return true;
}

function sharedPart(exchange: Exchange): Shared {
  const { driver, scenario, clock, scope, route, credential, node, purpose } = exchange;
  const { method, path, cost, sentOnce, status, contentType, server, bodyState, failure, outcome } = exchange;
  return {
    ...{ driver, scenario, clock, scope, route, credential, node, purpose },
    ...{ method, path, cost, sentOnce, status, contentType, server, bodyState, failure, outcome },
  };
}
