import { documentSchema } from '../../contract/document/document.ts';
import { isJsonObject } from '../../contract/json-object.ts';
import { didYouMean, nearest } from '../../contract/nearest.ts';
import { knownFields } from './known-fields.ts';

/** Where fields of a document stand, as a sentence names the place. */
const places: readonly (readonly [readonly string[], string])[] = [
  [[], 'beside version and title'],
  [['scopes', 'name'], 'in a scope'],
  [['scopes', 'name', 'request'], 'in the request of a scope'],
  [['refusal'], 'in refusal'],
];

/** What is said of a field of a document that is not known at a path: what was meant, or where it belongs. */
export function unknownFieldText(path: readonly PropertyKey[], key: string, value: unknown): string {
  if (key === '<<') return 'is not read: write the fields out, or take an alias for a whole value';
  // Another way to write the same may know it.
  const here = knownFields(documentSchema, path).filter((known) => known !== key);
  if (path.length === 0 && isJsonObject(value) && value['limit'] !== undefined)
    return 'there is no such field: if it is a scope, indent it below scopes';
  const elsewhere = places.find(([place]) => knownFields(documentSchema, place).includes(key));
  return elsewhere === undefined || nearest(key, here).length > 0
    ? `there is no such field${didYouMean(key, here)}`
    : `there is no such field here: it stands ${elsewhere[1]}`;
}

/** What is said of a value that stands where a scope has to; `null` where its name is none of a scope's fields. */
export function fieldOfScopeText(path: readonly PropertyKey[]): string | null {
  const [first, name, ...rest] = path;
  const isField = knownFields(documentSchema, ['scopes', 'name']).includes(String(name));
  return first === 'scopes' && rest.length === 0 && isField
    ? 'is a field of a scope: write the name of a scope above it, as `search:`, and indent the fields below that'
    : null;
}
