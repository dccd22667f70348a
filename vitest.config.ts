import { configDefaults, defineConfig } from 'vitest/config';
import { leftOutReporter } from './testing/left-out.ts';
import { LongestFirst } from './testing/longest-first.ts';

const rooms = 'contract,limiters,judge,service,checks,load,backoff,reports,run,proof,scripts,bench';

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: [...configDefaults.reporters, leftOutReporter()],
    projects: [
      {
        test: {
          name: 'unit',
          include: [`{${rooms},testing}/**/*.test.ts`],
          globalSetup: ['testing/own-temporary-folder.ts'],
          setupFiles: ['testing/after-each-file.ts'],
          // Files share the processes that play them: a process of its own for each costs more than most files do.
          isolate: false,
          // Node loads the sources as it does for the commands: code that Vite has rewritten takes a quarter longer.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          // More than most machines have cores: many tests wait for a clock, a process or a socket.
          maxWorkers: 6,
          // Against hangs alone: machines that are slow or busy with other work have to pass too.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'checks',
          include: ['checks/*.check.ts'],
          // Sends everything once, whatever -t selects; the files only judge what came back.
          globalSetup: ['scripts/checks-setup.ts'],
          pool: 'threads',
          isolate: false,
          fileParallelism: false,
          // After the unit tests where both are asked for: Vitest runs only like projects side by side.
          sequence: { groupOrder: 1 },
          retry: 0,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
