import type { Exchange } from '../contract/exchange.ts';
import { greatestOf } from '../contract/extremes.ts';
import { documentedLimits, documentedWindowMs } from '../contract/scopes.ts';
import { identify } from '../judge/identify/identify.ts';
import { type KnownClass, knownClasses } from '../proof/confusion/classes.ts';
import { type Conditions, playedTrial } from '../proof/confusion/trial.ts';
import { seeded } from '../run/seeded.ts';
import { cpuSeconds, median } from './cpu-seconds.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, Measure } from './measure.ts';
import { exchangesOf, history } from './porcupine/history.ts';

const runMsMax = 20;
const longSecondsMax = 2;
const longExchanges = 100_000;

const limit = documentedLimits.messages;
const conditions: Conditions = {
  windowMs: documentedWindowMs,
  expectedWindowMs: documentedWindowMs,
  windows: 'auto',
  jitterMs: 50,
};

/** Runs of each class of limiter; whichever is met, all classes are searched. */
const runsEach = 4;

/** All models over the traces of whole identifications, and over long traces. */
export const identificationBench: Bench = {
  name: 'identification',
  about: `which of all models of limiters explains a trace, ${limit} requests in ${documentedWindowMs / 1_000} s; CPU time`,
  run: async (say, { secondsEach }): Promise<readonly Measure[]> => {
    say(`${runsEach} runs of each of ${knownClasses.length} limiters, in virtual time`);
    const traces = knownClasses.flatMap((known) =>
      Array.from({ length: runsEach }, (_, seed) => playedTrial({ known, limit, conditions, seed }).trace),
    );
    const taken = traces.map((): number[] => []);
    say(`${traces.length} traces, time after time`);
    await inTurns(secondsEach, {
      runs: () => {
        const seconds = traces.map(secondsFor);
        for (const [at, one] of seconds.entries()) taken[at]?.push(one);
        return median(seconds);
      },
    });
    const ms = taken.map((each) => 1_000 * median(each)).sort((left, right) => left - right);
    const middle = median(ms);
    const long: number[] = [];
    for (const known of knownClasses) {
      say(`${longExchanges.toLocaleString('en')} exchanges with ${known.name}`);
      const trace = longTraceOf(known);
      const seconds = secondsEach / knownClasses.length;
      const { identified } = await inTurns(seconds, { identified: () => secondsFor(trace) });
      long.push(median(identified));
    }
    const slowest = greatestOf(long);
    const slowestName = knownClasses[long.indexOf(slowest)]?.name;
    return [
      {
        measured: `the trace of one run, median of ${ms.length}`,
        ours: `${middle.toFixed(1)} ms`,
        bar: { text: `≤ ${runMsMax} ms`, isMet: middle <= runMsMax },
      },
      {
        measured: 'the slowest tenth of them, at least',
        ours: `${(ms[Math.floor(0.9 * ms.length)] ?? 0).toFixed(1)} ms`,
      },
      {
        measured: `a trace of ${longExchanges.toLocaleString('en')} exchanges at 1.3 × the limit, median of ${long.length} limiters`,
        ours: `${median(long).toFixed(2)} s`,
      },
      {
        measured: `the slowest of them: ${slowestName}`,
        ours: `${slowest.toFixed(2)} s`,
        bar: { text: `≤ ${longSecondsMax} s`, isMet: slowest <= longSecondsMax },
      },
    ];
  },
};

/** What a client sees that keeps asking for more than the limit. */
function longTraceOf({ open }: KnownClass): readonly Exchange[] {
  const rate = { limit, windowMs: documentedWindowMs };
  return exchangesOf(history(rate, longExchanges, seeded(1), open(rate, seeded(2))));
}

/** Each time from exchanges that were never asked about: what was found is kept for the same ones. */
function secondsFor(trace: readonly Exchange[]): number {
  const fresh = trace.map((exchange) => ({ ...exchange }));
  return cpuSeconds(() => identify(fresh, { limit, windowMs: documentedWindowMs }));
}
