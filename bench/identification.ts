import type { Exchange } from '../contract/exchange.ts';
import { documentedLimits, documentedWindowMs } from '../contract/scopes.ts';
import { identify } from '../judge/identify/identify.ts';
import { knownClasses } from '../proof/confusion/classes.ts';
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

/** All models over the traces of whole identifications, and over a long trace. */
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
    say(`${longExchanges.toLocaleString('en')} exchanges`);
    const long = exchangesOf(history({ limit, windowMs: documentedWindowMs }, longExchanges, seeded(1)));
    const { identified } = await inTurns(secondsEach, { identified: () => secondsFor(long) });
    const longSeconds = median(identified);
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
        measured: `a trace of ${longExchanges.toLocaleString('en')} exchanges`,
        ours: `${longSeconds.toFixed(2)} s`,
        bar: { text: `≤ ${longSecondsMax} s`, isMet: longSeconds <= longSecondsMax },
      },
    ];
  },
};

/** Each time from exchanges that were never asked about: what was found is kept for the same ones. */
function secondsFor(trace: readonly Exchange[]): number {
  const fresh = trace.map((exchange) => ({ ...exchange }));
  return cpuSeconds(() => identify(fresh, { limit, windowMs: documentedWindowMs }));
}
