import { Command, Option } from 'commander';
import { type EndpointFlags, endpointOf } from '../../run/identify/endpoint.ts';
import { probeEndpoint } from '../../run/identify/probe-endpoint.ts';
import { pendingRow } from '../../run/progress/progress.ts';
import { displayKindFor, openDisplay } from '../display/display.ts';
import { interruptedExitCode, watchInterrupts } from '../interrupt.ts';
import { list, repeated, secondsOf, wholeNumber, wholeNumbers } from '../options/values.ts';
import { identificationText } from '../texts/identification-text.ts';
import type { CommandIo } from './command-io.ts';

type IdentifyFlags = EndpointFlags & { readonly json?: true };

const countOf = wholeNumber({ min: 1, max: 999_999 });
const statusesIn = wholeNumbers({ min: 300, max: 599, example: '503' });
const refusedByDefault: readonly number[] = [429];

const exitIdentified = 0;
const exitUnidentified = 3;

/** `conformance identify`: finds the limiter of an endpoint from the statuses of its answers. */
export function identifyCommand(io: CommandIo): Command {
  return addEndpointOptions(
    new Command('identify').description('name the rate limiter of any HTTP endpoint that answers 429'),
  )
    .option('--limit <n>', 'expected limit of a window; a first guess only', countOf)
    .option('--window <seconds>', 'expected length of the window; a first guess only', secondsOf)
    .addOption(
      new Option(
        '--windows <n>',
        'how many whole windows to watch, 1 or 2 (default: 2 only if one is not enough)',
      ).argParser(wholeNumber({ min: 1, max: 2 })),
    )
    .option('--longest <seconds>', 'longest wait for capacity to come back', secondsOf, 300)
    .option('--requests <n>', 'give up after this many admitted requests', countOf, 1_000)
    .option('--json', 'write one object to standard output, and nothing else')
    .action((flags: IdentifyFlags) => identifyEndpoint(io, flags));
}

function addEndpointOptions(command: Command): Command {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
  return command
    .requiredOption('--url <url>', 'address of the endpoint, with its query')
    .addOption(new Option('--method <method>', 'HTTP method of the requests').choices(methods).default('GET'))
    .option('--key-env <name>', 'environment variable that holds a key for Authorization: Bearer')
    .option('--header-env <header=name...>', 'header whose value is in an environment variable', list)
    .option('--header <header=value...>', 'header that is not secret', repeated)
    .option('--body <text>', 'body of each request')
    .option('--content-type <type>', 'type of the body', 'application/json')
    .option('--refused-by <status...>', 'statuses that count as a refusal', statusesOf, refusedByDefault)
    .option('--timeout <seconds>', 'how long one request may take', secondsOf, 10)
    .option(
      '--allow-host <host...>',
      'also send to this host; without this flag, only to this machine',
      list,
    );
}

async function identifyEndpoint(io: CommandIo, flags: IdentifyFlags): Promise<void> {
  const endpoint = endpointOf(flags, io.env);
  const interrupts = watchInterrupts();
  const row = 'identify';
  const display = openDisplay(displayKindFor(io.stderr, io.env), {
    stream: io.stderr,
    rows: [pendingRow(row, null)],
    nowMs: () => performance.timeOrigin + performance.now(),
  });
  const probed = await probeEndpoint(endpoint, {
    signal: interrupts.signal,
    onEvent: (event) => display.show({ ...event, row }),
  }).finally(() => interrupts.stop());
  if (probed.kind === 'stopped') {
    display.show({ kind: 'ended', row, state: 'failed', text: 'stopped' });
    await display.close();
    io.stderr.write(`conformance: ${probed.reason}\n`);
    io.exit(probed.isInterrupted ? interruptedExitCode : exitUnidentified);
    return;
  }
  display.show({ kind: 'ended', row, state: 'done', text: 'done' });
  await display.close();
  const { identification, remarks } = probed;
  for (const remark of remarks) io.stderr.write(`note: ${remark}\n`);
  io.stdout.write(
    flags.json === true ? `${JSON.stringify(identification)}\n` : `${identificationText(identification)}\n`,
  );
  io.exit(identification.algorithm === 'unidentified' ? exitUnidentified : exitIdentified);
}

/** Commander hands the default over as if it had been given. */
function statusesOf(value: string, previous: readonly number[]): readonly number[] {
  return statusesIn(value, previous === refusedByDefault ? undefined : previous);
}
