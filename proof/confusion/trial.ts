import process from 'node:process';
import { evidenceOf } from '../../checks/identify/second-look.ts';
import type { Unknown } from '../../checks/identify/unknown.ts';
import type { Identification } from '../../contract/identification.ts';
import { describe } from '../../judge/identify/describe.ts';
import { identify } from '../../judge/identify/identify.ts';
import { fixedWindow } from '../../limiters/fixed-window.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow, type Rate, type RateWindow } from '../../limiters/limiter.ts';
import { type Random, seeded } from '../../run/seeded.ts';
import { simulateIdentify } from '../simulation/identify-run.ts';
import type { KnownClass } from './classes.ts';

export type Conditions = {
  readonly windowMs: number;
  /** What the schedule and the identification expect; `null` where nothing. */
  readonly expectedWindowMs: number | null;
  readonly windows: Unknown['windows'];
  /** Latency each way: as much as this more or less, ms, about as much. */
  readonly jitterMs: number;
};

/** What became of one known limiter. */
export type Trial = {
  /** Plays the same run again. */
  readonly seed: number;
  /** `alike` where the limiter that was named would have decided every request of the run as the true one did. */
  readonly truth: 'alone' | 'tied' | 'alike' | 'missed';
  readonly answer: string;
  readonly limitError: number | null;
  /** How far the likeliest length is off, s; `null` where none was found. */
  readonly windowErrorSeconds: number | null;
  readonly intervalHolds: boolean;
  readonly intervalSeconds: number | null;
  readonly identifyMs: number;
  readonly requests: number;
  readonly seconds: number;
};

export type TrialOptions = {
  readonly known: KnownClass;
  readonly limit: number;
  readonly conditions: Conditions;
  readonly seed: number;
};

const epochMs = 1_760_000_000_000;

/** One whole run in virtual time, from its seed alone. */
export function runTrial(options: TrialOptions): Trial {
  const { known, limit, conditions, seed } = options;
  const { windowMs } = conditions;
  const { trace, decided } = playedTrial(options);
  const hints = { windowMs: conditions.expectedWindowMs ?? undefined };
  // Processor time of this thread: others may be at work on the same cores.
  const began = process.threadCpuUsage();
  const identified = identify(trace, hints);
  const { user, system } = process.threadCpuUsage(began);
  const identifyMs = (user + system) / 1_000;
  const setting = known.setting?.({ limit, windowMs }) ?? { limit, windowMs };
  const trial = graded(describe(identified), { known, ...setting, seed, identifyMs });
  if (trial.truth !== 'missed' || !decidesAlike(trial.answer, { limit, windowMs }, decided)) return trial;
  return { ...trial, truth: 'alike' };
}

/** What is seen of such a run, and what its limiter decided. */
export function playedTrial({ known, limit, conditions, seed }: TrialOptions) {
  const random = spread(seed);
  const { windowMs, jitterMs } = conditions;
  const startMs = epochMs + random() * 3_600_000;
  const limiter = known.open({ limit, windowMs }, random);
  const decided: Decided[] = [];
  const run = simulateIdentify({
    target: unknownOf(conditions),
    admits: (nowMs) => {
      const decision = limiter.decide(nowMs);
      decided.push({ nowMs, admitted: decision.admitted });
      return decision;
    },
    latencyMs: (draw: Random) => 2 * jitterMs * draw(),
    random,
    startMs,
  });
  return { trace: evidenceOf(run), decided };
}

type Decided = { readonly nowMs: number; readonly admitted: boolean };

/** Limiters that need no more than their rate, so that whatever one of them decided can be asked of another. */
const replayed: Readonly<Record<string, (rate: Rate) => RateWindow>> = {
  'fixed-window-wall-clock': (rate) => openWindow(fixedWindow(rate)),
  'fixed-window-first-request': (rate) => openWindow(fixedWindowFirstRequest(rate)),
};

/** Whether the limiter of this name would have decided all of these requests in the same way. */
function decidesAlike(name: string, rate: Rate, decided: readonly Decided[]): boolean {
  const window = replayed[name]?.(rate);
  if (window === undefined) return false;
  return decided.every(({ nowMs, admitted }) => window.decide(nowMs).admitted === admitted);
}

/** Streams of neighbouring seeds begin alike: the seed is mixed first (the finalizer of MurmurHash3). */
function spread(seed: number): Random {
  let mixed = seed;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return seeded(mixed ^ (mixed >>> 16));
}

function unknownOf({ expectedWindowMs, windows }: Conditions): Unknown {
  return {
    request: { scope: 'standard', route: 'main', key: null, credential: 'absent' },
    limit: null,
    windowMs: expectedWindowMs,
    windows,
    windowMsMax: 300_000,
    unlimitedAfter: 2_000,
  };
}

type Grading = {
  readonly known: KnownClass;
  readonly limit: number;
  readonly windowMs: number;
  readonly seed: number;
  readonly identifyMs: number;
};

function graded(found: Identification, { known, limit, windowMs, seed, identifyMs }: Grading): Trial {
  const { algorithm, tied, windowSeconds } = found;
  const names: readonly string[] = typeof algorithm === 'string' ? [algorithm] : algorithm;
  const isCapRight = found.perSecondCap === (known.perSecondCap ?? null);
  const isNamed = names.includes(known.algorithm) && isCapRight;
  const own = tied.find((one) => one.algorithm === known.algorithm) ?? found;
  const length = own.windowSeconds ?? windowSeconds;
  // Of a bucket that is given by its rate, as many windows are known as it lets through at once.
  const isRate = known.algorithm === 'leaky-bucket' && own.limit !== null;
  const seconds = (windowMs / 1_000) * (isRate ? (own.limit ?? limit) / limit : 1);
  const aloneOrTied = names.length === 1 ? 'alone' : 'tied';
  return {
    seed,
    truth: isNamed ? aloneOrTied : 'missed',
    answer: `${names.join(' = ')}${found.perSecondCap === null ? '' : ` cap ${found.perSecondCap}`}`,
    limitError: limitErrorOf(own, { known, limit, seconds }),
    windowErrorSeconds: length === null ? null : length.value - seconds,
    intervalHolds:
      length !== null && length.low <= seconds && (length.high ?? Number.POSITIVE_INFINITY) >= seconds,
    intervalSeconds: length === null || length.high === null ? null : length.high - length.low,
    identifyMs,
    requests: found.requests,
    seconds: found.seconds,
  };
}

type Own = Pick<Identification, 'limit' | 'windowSeconds'>;
type Truth = Pick<Grading, 'known' | 'limit'> & { readonly seconds: number };

/** Where a burst is not the limit, the rate has to be right. */
function limitErrorOf({ limit, windowSeconds }: Own, { known, limit: truth, seconds }: Truth): number | null {
  if (limit === null || windowSeconds === null) return null;
  if (known.algorithm !== 'leaky-bucket') return limit - truth;
  return Math.round(truth * (seconds / windowSeconds.value)) - truth;
}
