import { type Deployment, sendsKeys } from '../../contract/deployment.ts';
import { type KeyPlace, keyPlaceOf } from '../../contract/document/key-place.ts';
import { isSameHeader } from '../../contract/header-name.ts';
import { parameterIn } from '../../contract/query.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { SecretHeader } from './secret-headers.ts';

/**
 * The header or the parameter of the keys is theirs alone.
 * @throws {UsageError} where a request, or a header of all of them, sets it too.
 */
export function checkKeyPlace(
  {
    document,
    keyEnv,
    requests,
    otherMethods,
  }: Pick<Deployment, 'document' | 'keyEnv' | 'requests' | 'otherMethods'>,
  secretHeaders: readonly SecretHeader[],
): void {
  if (!sendsKeys({ keyEnv })) return;
  const place = keyPlaceOf(document);
  const ours =
    place.in === 'header' ? secretHeaders.find(({ name }) => isSameHeader(place.name, name)) : undefined;
  if (ours !== undefined) {
    throw new UsageError(
      `--header-env ${ours.name}: requests carry the API keys there; name them with --key-env.`,
    );
  }
  const part = place.in === 'header' ? 'headers' : 'path';
  const places = Object.entries({ requests, otherMethods }).flatMap(([field, templates]) =>
    Object.entries(templates).flatMap(([scope, template]) =>
      template !== undefined && isTaken(template, place) ? [`${field}.${scope}.${part}`] : [],
    ),
  );
  const [first] = places;
  if (first === undefined) return;
  const fix = 'leave it out there, and name the keys with --key-env';
  throw new UsageError(
    `The settings cannot be used:\n  ${first}: ${place.name} is where the document has its keys: ${fix}.`,
  );
}

function isTaken({ headers, path }: RequestTemplate, place: KeyPlace): boolean {
  return place.in === 'query'
    ? parameterIn(path, place.name) !== null
    : Object.keys(headers).some((name) => isSameHeader(place.name, name));
}
