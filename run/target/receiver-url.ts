import { UsageError } from '../../contract/usage-error.ts';
import { checkHosts } from './allowed-hosts.ts';

type AddressOptions = {
  readonly flag: string;
  readonly allowHosts: readonly string[];
  /** What goes there, for a refusal: "one event". */
  readonly sent: string;
  /** Where names are looked for, each as host:port:address. */
  readonly resolve?: readonly string[] | undefined;
};

/**
 * The address of a receiver, or of its effects, as a flag names it.
 * @throws {UsageError} where it is none, holds a password, or its host was not allowed.
 */
export function receiverUrl(text: string, { flag, allowHosts, sent, resolve }: AddressOptions): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${flag} ${text}: give an http:// or https:// address, e.g. http://127.0.0.1:3000/hooks.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${flag} holds a user name or a password, which would be written into the trace.`);
  }
  if (url.hash !== '')
    throw new UsageError(`${flag} holds "${url.hash}", which is never sent: leave it out.`);
  checkHosts([url.href], allowHosts, sent, resolve);
  return url;
}
