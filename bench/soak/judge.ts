import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { documentAlone, judgeAndReport } from '../../run/judge/judge-file.ts';
import { traceFileName } from '../../run/judge/trace-file.ts';
import { soakSecret, writeLongCapture } from './long-capture.ts';

/** What judging a long capture took. */
export type Soaked = {
  readonly deliveries: number;
  readonly megabytesOfTrace: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most that this process ever held. */
  readonly megabytes: number;
  readonly outcome: string;
};

/** `node bench/soak/judge.ts 5000000` writes a capture of so many deliveries, judges it, and writes its reports. */
const count = Number(process.argv[2] ?? 200_000);
const folder = await mkdtemp(join(tmpdir(), 'bench-soak-'));
try {
  const trace = join(folder, traceFileName);
  writeLongCapture(trace, count);
  const [startedMs, before] = [performance.now(), process.cpuUsage()];
  const { report } = await judgeAndReport('capture', trace, { ...documentAlone, secrets: [soakSecret] });
  const { user, system } = process.cpuUsage(before);
  const soaked: Soaked = {
    deliveries: report.deliveries.total,
    megabytesOfTrace: (await stat(trace)).size / 1e6,
    seconds: (performance.now() - startedMs) / 1_000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1_024,
    outcome: report.outcome,
  };
  console.log(JSON.stringify(soaked));
} finally {
  await rm(folder, { recursive: true, force: true });
}
