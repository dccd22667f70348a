import { Command, Option } from 'commander';
import type { Identification } from '../../contract/identification.ts';
import { conductIdentify } from '../../run/identify/conduct-identify.ts';
import { type EndpointFlags, endpointOf } from '../../run/identify/endpoint.ts';
import { endpointPlan } from '../../run/identify/endpoint-plan.ts';
import type { ProbeEvent } from '../../run/identify/probe-endpoint.ts';
import { pendingRow } from '../../run/progress/progress.ts';
import { shownPath } from '../../run/shown-path.ts';
import { lockKeys } from '../../run/target/key-lock.ts';
import { transportLines } from '../../run/target/transport/transport-text.ts';
import { displayKindFor, openDisplay } from '../display/display.ts';
import { interruptedExitCode, watchInterrupts } from '../interrupt.ts';
import { addRequestOptions } from '../options/request-options.ts';
import { stopAfterOption } from '../options/target-options.ts';
import { addTransportOptions } from '../options/transport-options.ts';
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
    .option(
      '--requests <n>',
      'send no more than this, and give up if none of them is refused (default: 6,000, or 1,000 if none is refused)',
      countOf,
    )
    .addOption(stopAfterOption())
    .addOption(
      new Option('--out <folder>', 'folder in which each identification makes its own folder')
        .default('runs')
        .env('CONFORMANCE_OUT'),
    )
    .option('--json', 'write one object to standard output, and nothing else')
    .action((flags: IdentifyFlags) => identifyEndpoint(io, flags));
}

function addEndpointOptions(command: Command): Command {
  const described = addTransportOptions(command).requiredOption(
    '--url <url>',
    'address of the endpoint, with its query',
  );
  return addRequestOptions(described)
    .option('--key-env <name>', 'environment variable that holds a key for Authorization: Bearer')
    .option('--header-env <header=name...>', 'header whose value is in an environment variable', list)
    .option('--header <header=value...>', 'header that is not secret', repeated)
    .option('--refused-by <status...>', 'statuses that count as a refusal', statusesOf, refusedByDefault)
    .option('--timeout <seconds>', 'how long one request may take', secondsOf, 10)
    .option(
      '--allow-host <host...>',
      'also send to this host; without this flag, only to this machine',
      list,
    );
}

async function identifyEndpoint(io: CommandIo, flags: IdentifyFlags): Promise<void> {
  const endpoint = await endpointOf(flags, io);
  const { keys, deployment } = endpoint;
  const release = lockKeys({ keys, baseUrls: deployment.baseUrls, env: io.env });
  const way = transportLines(endpoint.transport).map((line) => `        ${line}`);
  for (const line of [...endpointPlan(endpoint), ...way]) io.stderr.write(`${line}\n`);
  const interrupts = watchInterrupts();
  const row = 'identify';
  const display = openDisplay(displayKindFor(io.stderr, io.env), {
    stream: io.stderr,
    rows: [pendingRow(row, null)],
    nowMs: () => performance.timeOrigin + performance.now(),
  });
  const { cwd, session } = io;
  const onEvent = (event: ProbeEvent): void => display.show({ ...event, row });
  const context = { cwd, session, signal: interrupts.signal, onEvent };
  const { probed, traceFile } = await conductIdentify(endpoint, { out: flags.out, context }).finally(() => {
    interrupts.stop();
    release();
  });
  const isStopped = probed.kind === 'stopped';
  const [state, text] = isStopped ? (['failed', 'stopped'] as const) : (['done', 'done'] as const);
  display.show({ kind: 'ended', row, state, text });
  await display.close();
  if (isStopped) io.stderr.write(`conformance: ${session.removeKeys(probed.reason)}\n`);
  else for (const remark of probed.remarks) io.stderr.write(`note: ${remark}\n`);
  io.stderr.write(`trace   ${shownPath(traceFile, cwd)}\n`);
  if (isStopped) io.exit(probed.isInterrupted ? interruptedExitCode : exitUnidentified);
  else writeIdentification(io, probed.identification, flags);
}

function writeIdentification(io: CommandIo, found: Identification, { json }: IdentifyFlags): void {
  io.stdout.write(json === true ? `${JSON.stringify(found)}\n` : `${identificationText(found)}\n`);
  io.exit(found.algorithm === 'unidentified' ? exitUnidentified : exitIdentified);
}

/** Commander hands the default over as if it had been given. */
function statusesOf(value: string, previous: readonly number[]): readonly number[] {
  return statusesIn(value, previous === refusedByDefault ? undefined : previous);
}
