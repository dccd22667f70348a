import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { keepsLimit, LimitError } from '../../run/own-suite/keeps-limit.ts';
import { rollingLog } from '../../run/own-suite/testing/small-limiters.ts';
import { limited, type Served, seededBugs } from './apps.ts';
import { naiveTests } from './naive-tests.ts';
import { pageOf, type Row } from './page.ts';

/**
 * `npm run flakes`: eight tests of rate limits as people write them, and `keepsLimit`, each many times while the CPU is busy with other work.
 * Then limiters with a bug, which `keepsLimit` must not pass.
 */

/** So many tests run at once: each has an app on a port of its own. */
const together = 6;

const rule = { limit: 20, windowMs: 2_000 };
const promised = { limit: rule.limit, windowSeconds: rule.windowMs / 1_000, promise: 'rolling' } as const;

const flags = new Command('flakes')
  .option('--runs <n>', 'how often each test runs', Number, 300)
  .option('--bug-runs <n>', 'how often each limiter with a bug is tested', Number, 100)
  .option('--calm', 'without stress-ng beside it')
  .option('--write', 'write docs/flakes.md')
  .parse()
  .opts<{ runs: number; bugRuns: number; calm?: true; write?: true }>();

const stress = flags.calm === true ? null : startStress();
const rows: Row[] = [];
try {
  for (const { name, assumes, serve, run } of naiveTests) {
    const kinds = await repeated(flags.runs, together, () => ending(serve, run));
    show({ group: 'naive', name, note: assumes, kinds });
  }
  const kept = () => limited(rollingLog(rule), rule);
  show({
    group: 'ours',
    name: 'keepsLimit, a limiter that keeps its limit',
    note: '',
    kinds: await repeated(flags.runs, together, () => ending(kept, look)),
  });
  for (const { name, serve } of seededBugs) {
    const kinds = await repeated(flags.bugRuns, together, () => ending(() => serve(rule), look));
    show({ group: 'bug', name, note: '', kinds });
  }
} finally {
  stress?.kill();
}
if (flags.write === true)
  await writeFile(
    join(import.meta.dirname, '..', '..', 'docs', 'flakes.md'),
    pageOf(rows, { rule, together, isCalm: stress === null }),
  );

async function look(url: string): Promise<void> {
  await keepsLimit({ url }, promised);
}

/** "passed", or how it failed: the kind of a `LimitError`, or "failed". */
async function ending(serve: () => Promise<Served>, run: (url: string) => Promise<void>): Promise<string> {
  await using app = await serve();
  // Awaited here: the app is gone once this returns.
  return await run(app.url).then(
    () => 'passed',
    (error: unknown) => (error instanceof LimitError ? error.kind : 'failed'),
  );
}

async function repeated(
  runs: number,
  atOnce: number,
  once: () => Promise<string>,
): Promise<ReadonlyMap<string, number>> {
  const kinds = new Map<string, number>();
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < runs) {
      begun += 1;
      const kind = await once();
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return kinds;
}

function show(row: Row): void {
  rows.push(row);
  const counts = [...row.kinds].map(([kind, count]) => `${kind} ${count}`).join(', ');
  process.stdout.write(`${row.name}: ${counts}\n`);
}

/** Keeps every core busy until it is killed. */
function startStress(): { readonly kill: () => void } {
  const child = spawn('stress-ng', ['--cpu', String(availableParallelism()), '--quiet'], { stdio: 'ignore' });
  child.once('error', (error) => {
    process.stderr.write(
      `stress-ng cannot be started (Debian: apt-get install stress-ng): ${error.message}\n`,
    );
    process.exitCode = 1;
  });
  // An error that nobody catches must not leave the cores busy.
  process.once('exit', () => child.kill());
  return { kill: () => child.kill() };
}
