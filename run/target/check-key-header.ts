import { type Deployment, sendsKeys } from '../../contract/deployment.ts';
import { keyHeaderOf } from '../../contract/document/key-header.ts';
import { isSameHeader } from '../../contract/header-name.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { SecretHeader } from './secret-headers.ts';

/**
 * The header of the keys is theirs alone.
 * @throws {UsageError} where a request, or a header of all of them, sets it too.
 */
export function checkKeyHeader(
  {
    document,
    keyEnv,
    requests,
    otherMethods,
  }: Pick<Deployment, 'document' | 'keyEnv' | 'requests' | 'otherMethods'>,
  secretHeaders: readonly SecretHeader[],
): void {
  if (!sendsKeys({ keyEnv })) return;
  const header = keyHeaderOf(document);
  const ours = secretHeaders.find(({ name }) => isSameHeader(header.name, name));
  if (ours !== undefined) {
    throw new UsageError(
      `--header-env ${ours.name}: requests carry the API keys there; name them with --key-env.`,
    );
  }
  const places = Object.entries({ requests, otherMethods }).flatMap(([field, templates]) =>
    Object.entries(templates).flatMap(([scope, template]) =>
      Object.keys(template?.headers ?? {}).some((name) => isSameHeader(header.name, name))
        ? [`${field}.${scope}.headers`]
        : [],
    ),
  );
  const [first] = places;
  if (first === undefined) return;
  const fix = 'leave it out there, and name the keys with --key-env';
  throw new UsageError(
    `The settings cannot be used:\n  ${first}: ${header.name} is where the document has its keys: ${fix}.`,
  );
}
