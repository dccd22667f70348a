import type { SecretPlace } from '../../contract/secret/secret-names.ts';
import { UsageError } from '../../contract/usage-error.ts';

/**
 * Secrets stay out of settings: a file is committed, a flag is in the list of processes, and both go into the trace.
 * @param from where the settings come from, e.g. a path.
 * @throws {UsageError} naming each place and what to do instead, never what it holds.
 */
export function refuseSecrets(places: readonly SecretPlace[], from: string): void {
  if (places.length === 0) return;
  throw new UsageError(
    `The settings (${from}) hold what looks like a secret:\n${places.map((one) => `  ${adviceOn(one)}`).join('\n')}`,
  );
}

function adviceOn({ place, kind, name }: SecretPlace): string {
  if (kind === 'parameter') {
    return [
      `${place}: take "${name}" out of the query.`,
      `Where it is the API key, --key-env names its variable, and the document says keys: { query: ${name} }`,
      `(document init: --key-query ${name}). Else send it as a header: --header-env HEADER=VARIABLE`,
    ].join(' ');
  }
  return `${place}: take it out, put its value into an environment variable, and name that: --header-env ${name}=VARIABLE`;
}
