import { howMany } from '../../contract/quantities.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { checkNames } from './check-names.ts';
import { type Conclusion, conclude } from './conclusion.ts';
import { deploymentOf, type Endpoint, type ExpectedLimit } from './expected-limit.ts';
import { lookAt, type ProbedTrace } from './look-at.ts';
import { attemptsUsual } from './look-times.ts';

export type LookOptions = {
  /** How often at most; left out: 4. Each look after the first begins with a silence of a window. */
  readonly attempts?: number;
  /** Ends the looking: as `not-asked` where that interrupts a look, between two looks with what the one before found. */
  readonly signal?: AbortSignal;
  /** Gets the trace of each look, to be saved or judged again. It holds no header that was sent. */
  readonly onTrace?: (trace: ProbedTrace['trace']) => void;
};

const optionFields: Readonly<Record<keyof LookOptions, true>> = {
  attempts: true,
  signal: true,
  onTrace: true,
};

/** Why a limit is not kept, or not known to be. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
  /** `broken` alone speaks of the limiter: the others say that nothing is proven. */
  readonly kind: 'broken' | 'too-slow' | 'undecided' | 'not-asked';

  constructor(kind: LimitError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Asks one's own endpoint until it is known whether it keeps its limit; in a window of 2 s that takes about 3.5 s. Whatever the load of the
 * machine, a limiter that keeps it is never called broken: what is not proven is looked at again, and in the end is a
 * failure of the machine.
 * @returns what was seen, in a sentence.
 * @throws {LimitError} whose message is the evidence.
 * @throws {UsageError} where the endpoint, the limit or an option cannot be used.
 */
export async function keepsLimit(
  endpoint: Endpoint,
  expected: ExpectedLimit,
  options: LookOptions = {},
): Promise<string> {
  checkNames('options', options, Object.keys(optionFields));
  const { attempts = attemptsUsual, signal = new AbortController().signal, onTrace } = options;
  if (!Number.isInteger(attempts) || attempts < 1)
    throw new UsageError(`options: attempts must be a whole number from 1 on, not ${attempts}.`);
  const asked = deploymentOf(endpoint, expected);
  let slowestMs = 0;
  const { found, looks } = await lookAt(asked, {
    judge: (probed) => {
      onTrace?.(probed.trace);
      const conclusion = conclude(probed, judgeTrace(probed.trace));
      if (conclusion.kind === 'undecided') slowestMs = Math.max(slowestMs, conclusion.slowestMs);
      return conclusion;
    },
    isOpen: ({ kind }) => kind === 'undecided',
    attempts,
    signal,
  });
  if (found.kind === 'kept') return found.text;
  throw failureOf(found, { expected, looks, slowestMs });
}

/** Answers that take longer than this share of a window blur what is in it. */
const slowShare = 1 / 20;

type Seen = { readonly expected: ExpectedLimit; readonly looks: number; readonly slowestMs: number };

function failureOf(
  conclusion: Exclude<Conclusion, { readonly kind: 'kept' }>,
  { expected, looks, slowestMs }: Seen,
): LimitError {
  const { limit, windowSeconds } = expected;
  const promised = `${howMany(limit, 'request')} in ${windowSeconds} s`;
  const times = looks === 1 ? 'one look' : `${looks} looks`;
  switch (conclusion.kind) {
    case 'broken':
      return new LimitError('broken', `The limit of ${promised} is broken.\n${conclusion.text}`);
    case 'not-asked':
      return new LimitError('not-asked', `The limit of ${promised} could not be tested: ${conclusion.text}`);
    case 'undecided':
      return slowestMs > slowShare * windowSeconds * 1_000
        ? new LimitError(
            'too-slow',
            `The machine is too slow to test ${promised}: ${times} proved nothing, and the slowest answer took ` +
              `${Math.round(slowestMs)} ms. Nothing speaks against the limiter. Give it a longer window in this test, ` +
              `or run the test while less else runs.\n${conclusion.text}`,
          )
        : new LimitError(
            'undecided',
            `Whether ${promised} are kept could not be decided by ${times}. Nothing is proven against the limiter. Windows of 2 s and more show more than shorter ones.\n${conclusion.text}`,
          );
    default:
      return conclusion satisfies never;
  }
}
