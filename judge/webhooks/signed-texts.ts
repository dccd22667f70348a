import type { ParsedBody } from '../../contract/error-body.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { isNestedDeeper, jsonLevelsMax } from '../../contract/shown-json.ts';
import { writtenAnew } from './json-styles.ts';

/** One thing that a sender may have signed. */
export type SignedText = { readonly what: string; readonly bytes: Uint8Array };

export type Signable = {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly parsed: ParsedBody;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly method: string;
  readonly path: string;
  /** Times that the value of the signature itself carries, by what they are called. */
  readonly times: readonly (readonly [name: string, time: string])[];
};

/** Headers that may carry a time or an id, of one request, at most. */
const headersMax = 8;

/** Editors and `echo` end a file with one. */
export const withoutLineBreak = 'the body without the line break at its end';

/** Editors of Windows begin a file with one. */
export const withoutByteOrderMark = 'the body without its byte order mark (BOM)';

/** What senders in common use sign, the exact bytes first, each text once. */
export function signedTexts(signable: Signable): readonly SignedText[] {
  const { bytes } = signable;
  const candidates: SignedText[] = [
    { what: 'the exact bytes of the body', bytes },
    ...nearly(signable),
    ...rewrittenJson(signable),
    ...withTimes(signable),
    ...withTheRequest(signable),
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

/** The body as an editor, a shell or a file of another system changes it. */
function nearly({ text: raw }: Signable): readonly SignedText[] {
  const text = raw.replace(/^\ufeff/, '');
  const texts: readonly (readonly [what: string, text: string])[] = [
    [withoutByteOrderMark, text],
    [withoutLineBreak, text.replace(/\r?\n$/, '')],
    ['the body with a line break after it (as Encode of Go writes it)', `${text}\n`],
    ['the body without the white space around it', text.trim()],
    ['the body with line breaks of Windows (CRLF)', text.replaceAll(/\r?\n/g, '\r\n')],
    ['the body with line breaks of Unix (LF)', text.replaceAll('\r\n', '\n')],
    ['the body with a byte order mark (BOM)', `\ufeff${text}`],
    ['the body as a JSON string', JSON.stringify(text)],
  ];
  return texts.map(([what, changed]) => ({ what, bytes: utf8(changed) }));
}

/** The JSON of the body as other serialisers write it, and its data alone. */
function rewrittenJson({ parsed }: Signable): readonly SignedText[] {
  if (parsed.kind !== 'json' || isDeep(parsed)) return [];
  const { value } = parsed;
  const data = isJsonObject(value) ? value['data'] : undefined;
  return [
    ...writtenAnew(value).map(({ how, text }) => ({
      what: `the JSON written anew, ${how}`,
      bytes: utf8(text),
    })),
    ...(data === undefined
      ? []
      : writtenAnew(data)
          .slice(0, dataFormsMax)
          .map(({ how, text }, at) => ({
            what: at === 0 ? 'data alone' : `data alone, ${how}`,
            bytes: utf8(text),
          }))),
  ];
}

/** Of data alone the most common ways to write JSON are tried. */
const dataFormsMax = 9;

/** Whether JSON nests too deep to be written anew. */
export function isDeep(parsed: ParsedBody): boolean {
  return parsed.kind === 'json' && isNestedDeeper(parsed.value, jsonLevelsMax);
}

/** A time or an id beside the body, as several providers sign to keep deliveries from being replayed. */
function withTimes(signable: Signable): readonly SignedText[] {
  const { headers, text, method, path } = signable;
  const ids = headers.filter(([name]) => /(^|-)(id|delivery)$/i.test(name)).slice(0, headersMax);
  return timesOf(signable).flatMap(([name, time]) => {
    const texts: readonly (readonly [what: string, text: string])[] = [
      [`${name}, "." and the body`, `${time}.${text}`],
      [`${name} and the body`, `${time}${text}`],
      [`"v0:", ${name}, ":" and the body`, `v0:${time}:${text}`],
      [`${name}, ":" and the body`, `${time}:${text}`],
      [`${name}, a line break and the body`, `${time}\n${text}`],
      [`the body and ${name}`, `${text}${time}`],
      [`the body, "." and ${name}`, `${text}.${time}`],
      [`${name}, method, path and the body`, `${time}${method}${path}${text}`],
      [`method, path, ${name} and the body`, `${method}${path}${time}${text}`],
      [`method, path, the body and ${name}`, `${method}${path}${text}${time}`],
      ...urlsOf(signable).map(
        (url) => [`method, URL, the body and ${name}`, `${method}${url}${text}${time}`] as const,
      ),
    ];
    return [
      ...texts.map(([what, signed]) => ({ what, bytes: utf8(signed) })),
      ...ids.flatMap(([id, value]) => [
        { what: `${id}, ${name} and the body, joined by "."`, bytes: utf8(`${value}.${time}.${text}`) },
        { what: `${name}, ${id} and the body, joined by "."`, bytes: utf8(`${time}.${value}.${text}`) },
        { what: `${id}, ${name} and the body`, bytes: utf8(`${value}${time}${text}`) },
      ]),
    ];
  });
}

/** Times that came with the body: in it, in the value of the signature, in a header. */
function timesOf({ headers, parsed, times }: Signable): readonly (readonly [name: string, time: string])[] {
  const own = parsed.kind === 'json' && isJsonObject(parsed.value) ? parsed.value['timestamp'] : undefined;
  const isTime = typeof own === 'number' || typeof own === 'string';
  return [
    ...times,
    ...(isTime ? [['timestamp', String(own)] as const] : []),
    ...headers.filter(([, value]) => /^\d{9,19}$/.test(value)).slice(0, headersMax),
  ];
}

/** Where the body was sent to, beside it. */
function withTheRequest(signable: Signable): readonly SignedText[] {
  const { text, path, method } = signable;
  const texts: readonly (readonly [what: string, text: string])[] = [
    ['path and body', path + text],
    ['method, path and body', method + path + text],
    ['method, path and body, a line each', [method, path, text].join('\n')],
    ['method, path and body, joined by "."', [method, path, text].join('.')],
    ['body and path', text + path],
    ...urlsOf(signable).flatMap((url): readonly (readonly [string, string])[] => [
      ['URL and body', url + text],
      ['URL, "." and body', `${url}.${text}`],
      ['method, URL and body', method + url + text],
      ['body and URL', text + url],
    ]),
  ];
  return texts.map(([what, signed]) => ({ what, bytes: utf8(signed) }));
}

/** The addresses that a request may have been sent to: nothing in it says whether it was encrypted. */
function urlsOf({ path, headers }: Signable): readonly string[] {
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  return host === undefined ? [] : [`https://${host}${path}`, `http://${host}${path}`];
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
