import { stat } from 'node:fs/promises';
import process from 'node:process';
import { judgeAndReport } from '../../run/judge/judge-file.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { soakSecret } from './long-capture.ts';

/** What judging a long capture took. */
export type SoakCost = {
  readonly deliveries: number;
  readonly megabytesOfTrace: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The most that this process ever held. */
  readonly megabytes: number;
  readonly outcome: string;
};

/** `node bench/soak/judge-saved.ts <trace>` does nothing else, so that the memory is that of judging alone. */
const [, , trace = ''] = process.argv;
const { report } = await judgeAndReport('capture', trace, { ...documentAlone, secrets: [soakSecret] });
const { user, system } = process.cpuUsage();
const soaked: SoakCost = {
  deliveries: report.deliveries.total,
  megabytesOfTrace: (await stat(trace)).size / 1e6,
  seconds: process.uptime(),
  cpuSeconds: (user + system) / 1e6,
  megabytes: process.resourceUsage().maxRSS / 1_024,
  outcome: report.outcome,
};
console.log(JSON.stringify(soaked));
