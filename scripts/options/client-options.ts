import { type Command, InvalidArgumentError, Option } from 'commander';
import { jobsMax } from '../../backoff/tuning/client.ts';
import { knowledges } from '../../backoff/tuning/families.ts';
import { countOf, percentOf, secondsOf, wholeNumber } from './values.ts';

const clientsOf = wholeNumber({
  min: 1,
  max: 10_000,
  why: 'a larger crowd is as good as --situations all-at-once',
});
const jobsOf = wholeNumber({ min: 1, max: jobsMax, why: 'figures for each window are the same with more' });
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The options that describe a client and its limit. */
export function addClientOptions(command: Command): Command {
  return command
    .option(
      '--document <file>',
      'the document whose limits apply, as YAML or JSON (default: the messaging document)',
    )
    .option('--scope <scope>', 'scope whose limit applies (default: messages, or the first of the document)')
    .option('--limit <n>', 'requests in a window (default: as documented)', countOf)
    .option('--window <seconds>', 'length of the window (default: as documented)', secondsOf)
    .option('--limiter <file>', 'the limiter as it was found: a trace, or the output of "identify --json"')
    .option('--clients <n>', 'clients that share the key; each sends one request at a time', clientsOf, 20)
    .option('--processes <n>', 'processes that the clients run in', countOf, 1)
    .option('--store', 'the processes share a store, and can act as one client')
    .option('--jobs <n>', 'requests to be done (default: as many as pass in four windows)', jobsOf)
    .addOption(
      new Option('--latency <ms>', 'median round trip, and that of 99 in 100 requests: 24ms or 24ms,80ms')
        .argParser(latencyOf)
        .default([24], '24ms'),
    )
    .option('--loss <percent>', 'share of requests whose connection breaks', percentOf, 0)
    .addOption(
      new Option('--knows <what>', 'what the client knows of the limit').choices(knowledges).default('limit'),
    )
    .addOption(
      new Option('--method <method>', 'HTTP method of the requests; libraries retry only some')
        .choices(methods)
        .default('GET'),
    )
    .option('--no-retry-after-header', 'the service sends the wait in the body only');
}

/** One or two times in ms; `24ms`, `24` and `0.024s` are the same. */
function latencyOf(value: string): readonly number[] {
  const times = value.split(',').map((part) => {
    const [, figure, unit] = /^(\d+(?:\.\d+)?)(ms|s|)$/.exec(part.trim()) ?? [];
    return Number(figure) * (unit === 's' ? 1_000 : 1);
  });
  if (times.length > 2 || !times.every((ms) => ms > 0)) {
    throw new InvalidArgumentError(
      'Give a time above 0, e.g. 24ms, or two: the median, and that of 99 in 100 requests.',
    );
  }
  return times;
}
