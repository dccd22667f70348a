import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { documentedLimits, documentedWindowMs } from '../contract/scopes.ts';
import { seeded } from '../run/seeded.ts';
import { median } from './cpu-seconds.ts';
import { inTurns } from './in-turns.ts';
import type { Bench, Measure } from './measure.ts';
import { history, historyText, type Moment, withOneTooMany } from './porcupine/history.ts';
import type { JudgedHistory, JudgedLater, JudgeQuestion } from './porcupine/judge.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('porcupine/program/', import.meta.url));
const judge = fileURLToPath(new URL('porcupine/judge.ts', import.meta.url));

const rate = { limit: documentedLimits.standard, windowMs: documentedWindowMs };

const sizes = [1_000, 10_000, 100_000] as const;

/** Of a search that is not over by then it is not known when it would be, s. */
const patienceSeconds = 30;

/** One key's history, judged by every clause here, and searched for an order that explains it there. */
export const porcupineBench: Bench = {
  name: 'porcupine',
  about:
    'one key’s history, 8 requests at a time: all verdicts here; Porcupine looks for one order of the requests that a rolling ' +
    'window explains; CPU time of one more history, without reading it',
  remarks: [
    'Porcupine (v1.3.1) knows of an order of events, not of moments, so its model keeps the least moment at which each request ' +
      'of the last window can have been decided (`bench/porcupine/program/main.go`). It says whether there is an order, and ' +
      'nothing else. Where there is none it has to try them all.',
    'Both are asked by a process that has answered before: Porcupine one search of the same history, which was compiled ' +
      'before it began; this project 100 other histories of 1,000 requests, since it is compiled while it runs. What the ' +
      'first of those takes stands in a row of its own.',
  ],
  run: async (say, { secondsEach }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-porcupine-'));
    try {
      const built = join(folder, 'porcupine');
      say('building Porcupine’s program');
      await run('go', ['build', '-trimpath', '-o', built, '.'], { cwd: program });
      const [least] = sizes;
      const conforming: number[][] = [];
      const measures: Measure[] = [];
      for (const size of sizes) {
        say(`${size.toLocaleString('en')} requests`);
        const moments = history(rate, size, seeded(1));
        const input = historyText(moments);
        const saved = await savedHistory(folder, moments);
        const firsts: number[] = [];
        const { ours, same, peer } = await inTurns(secondsEach, {
          ours: async () => {
            const { cpuSeconds, firstCpuSeconds } = await judgedHistory(saved, 'all-verdicts', true);
            firsts.push(firstCpuSeconds);
            return cpuSeconds;
          },
          same: async () => (await judgedHistory(saved, 'explained', true)).cpuSeconds,
          peer: async () => {
            const { isOk, cpuSeconds } = await searched(built, input);
            if (!isOk) throw new Error('Porcupine finds no order for a history that a window explains');
            return cpuSeconds;
          },
        });
        conforming.push([median(ours), median(same), median(peer)]);
        const count = `${size.toLocaleString('en')} requests that a window explains`;
        measures.push(
          measureOf(`${count}: all verdicts`, ours, median(peer)),
          measureOf(`${count}: whether one does`, same, median(peer)),
          ...(size === least ? [firstOf(firsts, median(peer))] : []),
        );
      }
      say('one request too many');
      const moments = withOneTooMany(history(rate, least, seeded(1)));
      const saved = await savedHistory(folder, moments);
      const { ours } = await inTurns(secondsEach, {
        ours: async () => (await judgedHistory(saved, 'all-verdicts', false)).cpuSeconds,
      });
      const input = historyText(moments);
      const found = await searched(built, input).catch((error: Error) => {
        if (error.name === 'AbortError') return null;
        throw error;
      });
      if (found?.isOk === true) throw new Error('Porcupine finds an order for a history with one too many');
      measures.push(
        measureOf(
          `${least.toLocaleString('en')} requests, one too many of them admitted (one search)`,
          ours,
          found?.cpuSeconds ?? null,
        ),
      );
      return {
        measures,
        curves: [
          {
            title: 'CPU time by the length of a history that a window explains',
            grows: 'requests',
            unit: 'ms',
            sizes: [...sizes],
            lines: ['all verdicts', 'whether a window explains it', 'Porcupine'].map((name, at) => ({
              name,
              figures: conforming.map((seconds) => 1_000 * (seconds[at] as number)),
            })),
          },
        ],
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function measureOf(measured: string, ours: readonly number[], peer: number | null): Measure {
  const own = median(ours);
  const shown = peer === null ? `not over after ${patienceSeconds} s` : msText(peer);
  const isMet = peer === null || own < peer;
  return {
    measured,
    ours: msText(own),
    peer: shown,
    ...(peer === null ? {} : { ratio: own / peer }),
    bar: { text: 'ahead', isMet },
  };
}

/** While ours is still being compiled it is behind, and that is no bar. */
function firstOf(ours: readonly number[], peer: number): Measure {
  const own = median(ours);
  return {
    measured: 'the first history of a process, 1,000 requests: all verdicts',
    ours: msText(own),
    peer: msText(peer),
    ratio: own / peer,
  };
}

function msText(seconds: number): string {
  return `${(1_000 * seconds).toFixed(seconds < 0.1 ? 1 : 0)} ms`;
}

/** Built once: a long history takes longer to build than to judge. */
async function savedHistory(folder: string, moments: readonly Moment[]): Promise<string> {
  const path = join(folder, 'history.json');
  await writeFile(path, JSON.stringify(moments));
  return path;
}

async function judgedHistory(
  saved: string,
  asked: JudgeQuestion,
  isConforming: boolean,
): Promise<JudgedLater> {
  const { stdout } = await run(process.execPath, [judge, saved, asked]);
  const judged = JSON.parse(stdout) as JudgedLater;
  if (judged.isOk !== isConforming) throw new Error('a history was judged to be of the other kind');
  return judged;
}

/** @throws where the search takes too long. */
async function searched(built: string, input: string): Promise<JudgedHistory> {
  const child = spawn(built, [String(rate.limit), String(rate.windowMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    signal: AbortSignal.timeout(patienceSeconds * 1_000),
  });
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  // A program that was stopped does not read all of it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return JSON.parse(await Promise.race([text(child.stdout), failed])) as JudgedHistory;
}
