import type { ParsedBody } from '../../contract/error-body.ts';
import { isNestedDeeper, jsonLevelsMax } from '../evidence.ts';
import { isObject } from './arrival.ts';

/** One thing that a sender may have signed. */
export type SignedText = { readonly what: string; readonly bytes: Uint8Array };

export type Signable = {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly parsed: ParsedBody;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly path: string;
};

/** Headers that may carry a time or an id, of one request, at most. */
const headersMax = 8;

/** Editors and `echo` end a file with one. */
export const withoutLineBreak = 'the body without the line break at its end';

/** What senders in common use sign, the exact bytes first, each text once. */
export function signedTexts(signable: Signable): readonly SignedText[] {
  const { bytes, text, path } = signable;
  const candidates: SignedText[] = [
    { what: 'the exact bytes of the body', bytes },
    { what: withoutLineBreak, bytes: utf8(text.replace(/\r?\n$/, '')) },
    ...reserialised(signable),
    ...prefixed(signable),
    { what: 'path and body', bytes: utf8(path + text) },
    { what: 'an empty text', bytes: utf8('') },
  ];
  const seen = new Set<string>();
  return candidates.filter((candidate) => {
    const id = Buffer.from(candidate.bytes).toString('latin1');
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

function reserialised({ parsed }: Signable): readonly SignedText[] {
  if (parsed.kind !== 'json' || isDeep(parsed)) return [];
  const { value } = parsed;
  const compact = JSON.stringify(value);
  const spaced = pythonStyle(value);
  return [
    { what: 'the JSON written anew, compact', bytes: utf8(compact) },
    { what: 'the JSON written anew, compact, non-ASCII escaped', bytes: utf8(asciiOnly(compact)) },
    {
      what: 'the JSON written anew, "/" escaped (as PHP does)',
      bytes: utf8(asciiOnly(compact.replaceAll('/', '\\/'))),
    },
    { what: 'the JSON written anew with spaces (as Python does)', bytes: utf8(asciiOnly(spaced)) },
    { what: 'the JSON written anew with spaces, non-ASCII as it is', bytes: utf8(spaced) },
    { what: 'the JSON written anew, indented by two', bytes: utf8(JSON.stringify(value, null, 2)) },
    { what: 'the JSON written anew, keys sorted', bytes: utf8(JSON.stringify(sorted(value))) },
    ...(isObject(value) && value['data'] !== undefined
      ? [{ what: 'data alone', bytes: utf8(JSON.stringify(value['data'])) }]
      : []),
  ];
}

/** Whether JSON nests too deep to be written anew. */
export function isDeep(parsed: ParsedBody): boolean {
  return parsed.kind === 'json' && isNestedDeeper(parsed.value, jsonLevelsMax);
}

/** A time or an id before the body, as several providers sign to keep deliveries from being replayed. */
function prefixed({ headers, text, parsed }: Signable): readonly SignedText[] {
  const own = parsed.kind === 'json' && isObject(parsed.value) ? parsed.value['timestamp'] : undefined;
  const fromBody =
    typeof own === 'number' || typeof own === 'string' ? [['timestamp', String(own)] as const] : [];
  const times = [
    ...fromBody,
    ...headers.filter(([, value]) => /^\d{9,19}$/.test(value)).slice(0, headersMax),
  ];
  const ids = headers.filter(([name]) => /(^|-)(id|delivery)$/i.test(name)).slice(0, headersMax);
  return times.flatMap(([name, time]) => [
    { what: `${name}, "." and the body`, bytes: utf8(`${time}.${text}`) },
    { what: `${name} and the body`, bytes: utf8(`${time}${text}`) },
    { what: `"v0:", ${name}, ":" and the body`, bytes: utf8(`v0:${time}:${text}`) },
    ...ids.map(([id, value]) => ({
      what: `${id}, ${name} and the body, joined by "."`,
      bytes: utf8(`${value}.${time}.${text}`),
    })),
  ]);
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function asciiOnly(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** `json.dumps` with its defaults, but for non-ASCII: ", " and ": " between parts. */
function pythonStyle(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonStyle).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${pythonStyle(part)}`);
  return `{${parts.join(', ')}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  );
}
