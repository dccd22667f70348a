import { type Command, Option } from 'commander';
import { list } from './values.ts';

/** Flags for the way to the target. Node and k6 both go by them. */
export function addTransportOptions(command: Command): Command {
  const option = (flags: string, description: string) => new Option(flags, description);
  return command
    .addOption(
      option('--ca <file>', 'certificates of authorities to trust too, as PEM').env('CONFORMANCE_CA'),
    )
    .addOption(
      option('--client-cert <file>', 'our own certificate as PEM, for a service that asks for one').env(
        'CONFORMANCE_CLIENT_CERT',
      ),
    )
    .addOption(option('--client-key <file>', 'its private key as PEM').env('CONFORMANCE_CLIENT_KEY'))
    .addOption(
      option(
        '--proxy <url>',
        'HTTP proxy, or none (default: as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say); never used for this machine',
      ).env('CONFORMANCE_PROXY'),
    )
    .addOption(
      option('--http <version>', 'version of HTTP (default: 1.1)')
        .choices(['1.1', '2'])
        .env('CONFORMANCE_HTTP'),
    )
    .addOption(
      option('--ip <version>', 'take addresses of this version alone')
        .choices(['4', '6'])
        .env('CONFORMANCE_IP'),
    )
    .addOption(
      option(
        '--resolve <host:port:address...>',
        'look for a host name at this address; its certificate is still checked',
      )
        .argParser(list)
        .env('CONFORMANCE_RESOLVE'),
    );
}
