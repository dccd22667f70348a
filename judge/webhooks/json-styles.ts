import { isJsonObject } from '../../contract/json-object.ts';

/** One way to write JSON. */
type Style = { readonly how: string; readonly write: (value: unknown) => string };

/** What a serialiser escapes. */
type Escaping = { readonly how: string; readonly escaped: (json: string) => string };

/** White space between the parts, the most common first. */
const styles: readonly Style[] = [
  { how: 'compact', write: (value) => JSON.stringify(value) },
  { how: 'with spaces (as Python does)', write: spaced },
  { how: 'indented by two', write: (value) => JSON.stringify(value, null, 2) },
  { how: 'indented by four', write: (value) => JSON.stringify(value, null, 4) },
  { how: 'indented by tabs', write: (value) => JSON.stringify(value, null, '\t') },
];

const plain: Escaping = { how: '', escaped: (json) => json };
const ascii: Escaping = {
  how: ', non-ASCII escaped',
  escaped: (json) => unicodeEscaped(json, /[\u0080-\uffff]/g),
};

const escapings: readonly Escaping[] = [
  plain,
  ascii,
  { how: ', "/" and non-ASCII escaped (as PHP does)', escaped: (json) => slashes(ascii.escaped(json)) },
  { how: ', "/" escaped', escaped: slashes },
  {
    how: ', "<", ">" and "&" escaped (as Go does)',
    escaped: (json) => unicodeEscaped(json, /[<>&\u2028\u2029]/g),
  },
  {
    how: ', "<", ">", "&" and non-ASCII escaped',
    escaped: (json) => unicodeEscaped(json, /[<>&\u0080-\uffff]/g),
  },
  {
    how: ', escaped as .NET does',
    escaped: (json) => json.replace(/\\u.{4}|\\.|[<>&'+`\u0080-\uffff]/g, asDotNet),
  },
];

/** A JSON value in every common way to write it, the most common first. */
export function writtenAnew(value: unknown): readonly { readonly how: string; readonly text: string }[] {
  return [value, sorted(value)].flatMap((given, at) =>
    styles.flatMap(({ how: style, write }) => {
      const json = write(given);
      return escapings.map(({ how, escaped }) => ({
        how: `${style}${how}${at === 0 ? '' : ', keys sorted'}`,
        text: escaped(json),
      }));
    }),
  );
}

function slashes(json: string): string {
  return json.replaceAll('/', '\\/');
}

function unicodeEscaped(json: string, units: RegExp): string {
  return json.replace(units, (unit) => `\\u${codeOf(unit)}`);
}

/** A UTF-16 unit in hex. */
function codeOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}

/** A character, or an escape that JSON has already, as .NET writes it. */
function asDotNet(part: string): string {
  if (part === '\\"') return '\\u0022';
  if (part.startsWith('\\u')) return `\\u${part.slice(2).toUpperCase()}`;
  return part.startsWith('\\') ? part : `\\u${codeOf(part).toUpperCase()}`;
}

/** `json.dumps` with its defaults, but for non-ASCII: ", " and ": " between parts. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${spaced(part)}`);
  return `{${parts.join(', ')}}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
