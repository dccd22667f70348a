import { type Command, Option } from 'commander';
import { list } from './values.ts';

const descriptions = {
  ca: ['--ca <file>', 'certificates of authorities to trust too, as PEM'],
  clientCert: ['--client-cert <file>', 'our own certificate as PEM, for a service that asks for one'],
  clientKey: ['--client-key <file>', 'its private key as PEM'],
  proxy: [
    '--proxy <url>',
    'HTTP proxy, or none (default: as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say); never used for this machine',
  ],
  http: ['--http <version>', 'version of HTTP (default: 1.1)'],
  ip: ['--ip <version>', 'take addresses of this version alone'],
  resolve: [
    '--resolve <host:port:address...>',
    'look for a host name at this address; its certificate is still checked',
  ],
} as const;

function option(name: keyof typeof descriptions): Option {
  const [flags, description] = descriptions[name];
  const made = new Option(flags, description);
  if (name === 'http') return made.choices(['1.1', '2']);
  if (name === 'ip') return made.choices(['4', '6']);
  return name === 'resolve' ? made.argParser(list) : made;
}

/** Flags for the way to the target. Node and k6 both go by them. */
export function addTransportOptions(command: Command): Command {
  return command
    .addOption(option('ca').env('CONFORMANCE_CA'))
    .addOption(option('clientCert').env('CONFORMANCE_CLIENT_CERT'))
    .addOption(option('clientKey').env('CONFORMANCE_CLIENT_KEY'))
    .addOption(option('proxy').env('CONFORMANCE_PROXY'))
    .addOption(option('http').env('CONFORMANCE_HTTP'))
    .addOption(option('ip').env('CONFORMANCE_IP'))
    .addOption(option('resolve').env('CONFORMANCE_RESOLVE'));
}

/**
 * Flags for the way to a receiver of webhooks. What the environment says of the API is not meant for receivers: a
 * certificate of ours is shown to none that was not named beside it.
 */
export function addReceiverTransportOptions(command: Command): Command {
  const names = ['ca', 'clientCert', 'clientKey', 'proxy', 'ip', 'resolve'] as const;
  return names.reduce((all, name) => all.addOption(option(name)), command);
}
