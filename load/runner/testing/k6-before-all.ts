import process from 'node:process';
import { beforeAll, type TestContext } from 'vitest';
import { skipWithout } from '../../../testing/needs.ts';
import { type FoundK6, findK6, type K6 } from '../find-k6.ts';

/** How long a build may take, on a machine that has never seen k6 and is busy with other tests, ms. */
const buildMsMax = 20 * 60_000;

/**
 * Has k6 looked for before the tests of a file, and built where there is none: no test's own time is meant for that.
 * @returns what gives it to a test, which is left out where there is none.
 */
export function k6BeforeAll(): (context: Pick<TestContext, 'task' | 'skip'>) => K6 {
  let found: FoundK6 | undefined;
  beforeAll(async () => {
    found = await findK6({ env: process.env });
  }, buildMsMax);
  return (context) => {
    if (found?.kind === 'missing') skipWithout('k6', context);
    if (found?.kind !== 'found') throw new Error(`no k6 to test with: ${JSON.stringify(found)}`);
    return found.k6;
  };
}
