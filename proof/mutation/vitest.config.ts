import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What Stryker runs: the tests of the rooms that it mutates, with fewer random cases each. */
export default defineConfig({
  resolve: { alias: [{ find: /^fast-check$/, replacement: join(import.meta.dirname, 'few-cases.ts') }] },
  test: {
    include: ['{contract,judge,proof/{bounds,documents,mutation,promises}}/**/*.test.ts'],
    pool: 'threads',
    // Each run is a thread of its own, which loads a file once.
    isolate: false,
    fileParallelism: false,
    testTimeout: 600_000,
    env: { PROOFS: 'all' },
  },
});
