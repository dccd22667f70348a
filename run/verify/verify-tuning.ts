import { type Client, isIdempotent } from '../../backoff/tuning/client.ts';
import { bestOfEachFamily } from '../../backoff/tuning/search.ts';
import type { Candidate } from '../../backoff/tuning/trial.ts';
import type { Tuning } from '../../backoff/tuning/tuning.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type VerifiedStrategy, type VerifyResult, verifyLive } from './verify.ts';

/** How many others are verified beside the recommendation. */
const rivals = 2;

/** More clients than this would be measured in k6's own interpreter, and not at the service. */
const clientsMax = 100;

/**
 * Whether such a client can be verified: the reference service counts as documented, and loses nothing.
 * @throws {UsageError} with what is in the way.
 */
export function checkVerifiable({ limiter, latency, clients }: Client, found: boolean): void {
  if (found || limiter.name !== 'sliding-log')
    throw new UsageError(
      '--verify runs at the reference service, which counts as documented: leave out --limiter and --document.',
    );
  if (latency.lossShare > 0)
    throw new UsageError('--verify runs on this machine, where no answer is lost: leave out --loss.');
  if (clients > clientsMax)
    throw new UsageError(
      `--verify runs all clients in one k6: --clients ${clients} is more than ${clientsMax}.`,
    );
}

/** The recommendation and the next best of other kinds, what is in use today foremost, live at the reference service. */
export function verifyTuning(
  tuning: Tuning,
  context: Parameters<typeof verifyLive>[2],
): Promise<readonly VerifyResult[]> {
  const { client } = tuning;
  const { scope, rate, clients, processes, jobs } = client;
  const setting = {
    scope,
    clients,
    processes,
    jobs,
    windowMs: rate.windowMs,
    limits: { ...documentedLimits, [scope]: rate.limit },
  };
  const strategies = chosen(tuning).map((candidate) => toVerify(candidate, client));
  return verifyLive(strategies, setting, context);
}

function chosen({ recommended, ranking }: Tuning): readonly Candidate[] {
  const best = recommended.trial.candidate;
  const others = bestOfEachFamily(ranking)
    .map(({ trial }) => trial.candidate)
    .filter(({ name, family }) => name !== best.name && (family === null || family !== best.family));
  const today = others.filter(({ family }) => family === null);
  const ours = others.filter(({ family }) => family !== null);
  return [best, ...[...today.slice(0, 1), ...ours].slice(0, rivals)];
}

function toVerify({ name, family, parameters, strategy }: Candidate, client: Client): VerifiedStrategy {
  if (family !== null) return { name, strategy, drain: { kind: 'family', name: family, parameters } };
  const today = client.today.find((one) => one === name);
  if (today === undefined) throw new Error(`a strategy of today that nobody named: ${name}`);
  return { name, strategy, drain: { kind: 'today', name: today, isIdempotent: isIdempotent(client) } };
}
