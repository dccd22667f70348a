import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import type { Bench } from './measure.ts';
import type { SoakCost } from './soak/judge-saved.ts';

const deliveries = 200_000;
const megabytesMax = 600;

/** A long capture of webhooks, judged and reported. */
export const soakBench: Bench = {
  name: 'soak',
  about: `a capture of ${deliveries.toLocaleString('en')} webhooks is judged; node bench/soak/judge.ts 5000000 takes as many as you like`,
  run: async (say) => {
    say('writing and judging a capture');
    const script = join(import.meta.dirname, 'soak', 'judge.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, String(deliveries)]);
    const soaked = JSON.parse(stdout) as SoakCost;
    return [
      {
        measured: `memory of ${deliveries.toLocaleString('en')}`,
        ours: `${soaked.megabytes.toFixed(0)} MB`,
        bar: { text: `< ${megabytesMax} MB`, isMet: soaked.megabytes < megabytesMax },
      },
      { measured: 'CPU time', ours: `${soaked.cpuSeconds.toFixed(1)} s` },
    ];
  },
};
