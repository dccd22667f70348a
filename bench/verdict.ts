import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Exchange } from '../contract/exchange.ts';
import { parseTrace, type Trace } from '../contract/trace.ts';
import { traceFileName } from '../run/judge/trace-file.ts';
import { median } from './cpu-seconds.ts';
import type { Bench, Measure } from './measure.ts';

const secondsMax = 63;
const windowMs = 60_000;

export const verdictBench: Bench = {
  name: 'verdict',
  about:
    'a whole verdict by `npm start`: the service as documented in its real window of 60 s, all scopes, both bursts of k6, webhooks and reports, from the start of the process to its end',
  remarks: [
    'What each part is for, and why it cannot go:',
    [
      '- **Start**: Node compiles the program (cached after the first run) and starts the service, while k6 is asked for its version. Nothing of it can wait: the window begins with the first request.',
      '- **Filling** takes 2 s by design where answers come within 18 ms, as here, and 3 s elsewhere. The first request leaves the window a minute after it was sent; waits of whole seconds that 429s announce end up to half a second later (`Retry-After` knows no parts), and only then the places that came back are counted. Twelve places taken one by one, 0.65 s to 1.93 s after the first, leave the window after that, each at a phase of its own: where the first request was held too long, they tell a window that is too long from a limiter of whole seconds. Earlier singles would leave before the count, and prove nothing. The saturation follows the last of them, 2.05 s after the first request: a bucket of 30 that is refilled through the minute has a place more by then, and its burst shows that more pass than the limit.',
      '- **The window** is what is proved: a rolling window and a fixed one behave the same until it is over.',
      '- **Slack of clocks**: 400 ppm of a minute, 1 ms of resolution and 20 ms: earlier than that a refusal would prove nothing.',
      '- **Until the burst**: one request asks what the service counts. Where that is more than ours, or is not stated, one second more passes, for limiters that count in whole seconds.',
      '- **Last burst**: a limit’s worth of requests, refused beyond it; its span is that of the machine.',
      '- **Webhooks**: what was accepted arrives, and the file is closed.',
      '- **Verdict and reports**: the saved trace is read and judged as `judge` would do it again, webhooks with their signatures, the limiter identified, pictures and pages drawn. It begins when the last answer is there. While the run waits, what judges and reports is loaded, and the program of the page is bundled; while webhooks are judged, another thread identifies the limiters.',
    ].join('\n'),
  ],
  run: async (say, { secondsEach }) => {
    const rounds = Math.max(1, Math.ceil(secondsEach / (windowMs / 1_000)));
    const all: Parts[] = [];
    for (let round = 0; round < rounds; round += 1) {
      say(`run ${round + 1} of ${rounds}, about a minute`);
      all.push(await partsOfRun());
    }
    const names = Object.keys(all[0] ?? {}) as (keyof Parts)[];
    return names.map((name): Measure => {
      const seconds = median(all.map((parts) => parts[name])) / 1_000;
      const bar = { text: `≤ ${secondsMax} s`, isMet: seconds <= secondsMax };
      return { measured: name, ours: `${seconds.toFixed(2)} s`, ...(name === whole ? { bar } : {}) };
    });
  },
};

const whole = 'whole verdict, the process from its start to its end';

/** What each part took, ms; the parts together are the whole. */
type Parts = Readonly<
  Record<
    | typeof whole
    | 'start, until the first request'
    | 'filling the window'
    | 'the window itself'
    | 'slack of clocks'
    | 'until the last burst'
    | 'the last burst'
    | 'last webhooks, trace closed'
    | 'verdict and reports',
    number
  >
>;

async function partsOfRun(): Promise<Parts> {
  const out = await mkdtemp(join(tmpdir(), 'conformance-bench-'));
  try {
    const program = join(import.meta.dirname, '..', 'scripts', 'conformance.js');
    const beganMs = Date.now();
    const child = spawn(process.execPath, [program, '--no-history', '--quiet', '--out', out], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    const endedMs = Date.now();
    if (code !== 0) throw new Error(`the run ended with ${code}`);
    const [folder = ''] = await readdir(out);
    return partsOf(parseTrace(await readFile(join(out, folder, traceFileName), 'utf8')), {
      beganMs,
      endedMs,
    });
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** The moments of a trace are of its monotonic clock, those of the process of the wall clock: the anchor has both. */
function partsOf(trace: Trace, { beganMs, endedMs }: { beganMs: number; endedMs: number }): Parts {
  const probed = trace.exchanges.filter(({ driver }) => driver !== 'k6');
  const [anchor] = probed;
  if (anchor === undefined) throw new Error('nothing was sent');
  const wallMs = (ms: number): number => ms - anchor.sentMs + (anchor.wallSentMs ?? anchor.sentMs);
  const of = (purpose: string): readonly Exchange[] => probed.filter((one) => one.purpose === purpose);
  const answeredMs = (some: readonly Exchange[]): number =>
    Math.max(...some.map(({ sentMs, receivedMs }) => receivedMs ?? sentMs));
  const isAdmitted = ({ outcome }: Exchange): boolean => outcome === 'admitted';
  // The scope that was filled last is the last to be filled again.
  const last = [...new Set(probed.map(({ scope }) => scope))]
    .map((scope) => of('saturate').filter((one) => one.scope === scope && isAdmitted(one)))
    .reduce((latest, some) => (answeredMs(some) > answeredMs(latest) ? some : latest));
  const fullMs = answeredMs(last);
  const ofLast = (purpose: string) => of(purpose).filter(({ scope }) => scope === last[0]?.scope);
  const askedMs = Math.min(...[...ofLast('all-back'), ...ofLast('reburst')].map(({ sentMs }) => sentMs));
  const burstMs = Math.min(...ofLast('reburst').map(({ sentMs }) => sentMs));
  const sentAllMs = answeredMs(probed);
  const traceMs = Date.parse(trace.end?.endedAt ?? '');
  return {
    [whole]: endedMs - beganMs,
    'start, until the first request': wallMs(anchor.sentMs) - beganMs,
    'filling the window': fullMs - anchor.sentMs,
    'the window itself': windowMs,
    'slack of clocks': askedMs - fullMs - windowMs,
    'until the last burst': burstMs - askedMs,
    'the last burst': sentAllMs - burstMs,
    'last webhooks, trace closed': traceMs - wallMs(sentAllMs),
    'verdict and reports': endedMs - traceMs,
  };
}
