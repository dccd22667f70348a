import type { TestContext } from 'vitest';
import { k6BeforeAll } from '../../load/runner/testing/k6-before-all.ts';

/**
 * Has k6 looked for before the tests of a file.
 * @returns what gives the variable that names it, for a command line whose home folder holds none; it leaves a test out where there is none.
 */
export function k6VariableBeforeAll(): (context: TestContext) => { readonly K6_BIN: string } {
  const k6For = k6BeforeAll();
  return (context) => ({ K6_BIN: k6For(context).path });
}
