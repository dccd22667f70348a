import type { ProbeKey } from '../../checks/http-request.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { isBasic } from '../../contract/document/basic-keys.ts';
import { keyPlaceOf } from '../../contract/document/key-place.ts';
import type { Target } from './open-target.ts';
import { headerSecrets } from './secret-headers.ts';
import { proxySecrets } from './transport/proxy-secrets.ts';

/** All that may be written nowhere of what a run sends. */
export function secretsOf({ deployment, keys, secretHeaders, transport }: Target): readonly ProbeKey[] {
  return [
    ...keys,
    ...passwordsIn(keys, deployment),
    ...headerSecrets(secretHeaders),
    ...proxySecrets(transport),
  ];
}

/** A shorter password may stand anywhere by chance. */
const charactersMin = 6;

/** Passwords of keys that are a user and a password in base64 (RFC 7617): a service may well repeat one without the other. */
export function passwordsIn(
  keys: readonly ProbeKey[],
  { document }: Pick<Deployment, 'document'>,
): readonly ProbeKey[] {
  if (!isBasic(keyPlaceOf(document))) return [];
  return keys.flatMap(({ alias, secret }) => {
    const decoded = Buffer.from(secret, 'base64').toString('utf8');
    const password = decoded.slice(decoded.indexOf(':') + 1);
    return decoded.includes(':') && password.length >= charactersMin ? [{ alias, secret: password }] : [];
  });
}
