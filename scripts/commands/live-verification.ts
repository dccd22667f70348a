import type { Tuning } from '../../backoff/tuning/tuning.ts';
import { seconds } from '../../contract/quantities.ts';
import { prepareK6 } from '../../run/prepare-k6.ts';
import { seeded } from '../../run/seeded.ts';
import type { VerifyResult } from '../../run/verify/verify.ts';
import { verifyTuning } from '../../run/verify/verify-tuning.ts';
import { interruptedExitCode, watchInterrupts } from '../interrupt.ts';
import type { CommandIo } from './command-io.ts';

export type Verification = {
  readonly results: readonly VerifyResult[];
  /** 0 all agree, 1 one does not agree, 3 one could not be measured, 130 interrupted. */
  readonly exitCode: number;
};

/** Time between two lines of progress, ms. */
const heartbeatMs = 20_000;

/** Verifies a tuning live, and reports the elapsed time meanwhile. */
export async function verifyLiveWithProgress(io: CommandIo, tuning: Tuning): Promise<Verification> {
  const { jobs, rate } = tuning.client;
  const say = (text: string): void => void io.stderr.write(`${text}\n`);
  const interrupts = watchInterrupts();
  const { signal } = interrupts;
  const startedMs = performance.now();
  const elapsed = (): string => seconds(performance.now() - startedMs, 0);
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    const prepared = await prepareK6({ env: io.env, signal, outs: [] }, say);
    if (prepared.kind === 'aborted') return { results: [], exitCode: interruptedExitCode };
    if (prepared.kind === 'missing') {
      return { results: [{ kind: 'failed', name: 'k6', reason: prepared.reason }], exitCode: 3 };
    }
    const leastMs = (Math.ceil(jobs / rate.limit) - 1) * rate.windowMs;
    say(
      `verifying live: ${jobs} jobs, three times, each at its own service; it takes at least ${leastMs / 1_000} s`,
    );
    heartbeat = setInterval(() => say(`verifying: ${elapsed()}`), heartbeatMs);
    const results = await verifyTuning(tuning, { k6: prepared.k6, env: io.env, signal, seeded });
    return { results, exitCode: signal.aborted ? interruptedExitCode : exitCodeOf(results) };
  } finally {
    clearInterval(heartbeat);
    interrupts.stop();
  }
}

function exitCodeOf(results: readonly VerifyResult[]): number {
  if (results.some((result) => result.kind === 'verified' && !result.agrees)) return 1;
  return results.some(({ kind }) => kind === 'failed') ? 3 : 0;
}
