import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { timesOf } from './times.ts';

const root = join(import.meta.dirname, '..', '..');

// A wrong setting is told once, and not by each file.
timesOf(process.env['CASES_TIMES']);

/** All tests that draw cases by chance. */
const drawing = globSync('*/**/*.test.ts', { cwd: root, exclude: ['node_modules/**'] }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes("from 'fast-check'"),
);

/** What `npm run properties` runs: those tests with many more cases, and other seeds each time. */
export default defineConfig({
  resolve: { alias: [{ find: /^fast-check$/, replacement: join(import.meta.dirname, 'more-cases.ts') }] },
  test: {
    root,
    include: drawing,
    globalSetup: ['testing/own-temporary-folder.ts'],
    setupFiles: ['testing/after-each-file.ts'],
    isolate: false,
    maxWorkers: '100%',
    // Against hangs alone: a property ends by itself, and each case of some takes seconds.
    testTimeout: 3_600_000,
  },
});
