import { type Transport, transportSchema } from '../../contract/transport.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { plainly } from '../mistakes/plainly.ts';
import { explainIssues } from '../target/explain-issues.ts';
import { openTransport, type TransportOptions } from '../target/transport/open-transport.ts';
import { type TransportFlags, transportInput } from '../target/transport/transport-flags.ts';

/**
 * How requests get to a receiver, and to the address of its effects, by flags and the environment's proxies.
 * @throws {UsageError} naming the flag that cannot be used, and what to set instead.
 */
export function openReceiverTransport(
  addresses: readonly URL[],
  { flags, ...options }: TransportOptions & { readonly flags: TransportFlags },
): Promise<Transport> {
  const parsed = transportSchema.safeParse(transportInput(flags) ?? {}, plainly);
  if (!parsed.success)
    throw new UsageError(`The receiver cannot be reached by these flags:\n${explainIssues(parsed.error)}`);
  return openTransport({ baseUrls: addresses.map(({ origin }) => origin), transport: parsed.data }, options);
}
