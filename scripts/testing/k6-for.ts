import process from 'node:process';
import type { TestContext } from 'vitest';
import { findK6 } from '../../load/runner/find-k6.ts';
import { skipWithout } from '../../testing/needs.ts';

/** The variable that names a k6, for a command line whose home folder holds none; leaves the test out where there is none. */
export async function k6For(context: TestContext): Promise<Readonly<Record<string, string>>> {
  const found = await findK6({ env: process.env });
  if (found.kind === 'missing') skipWithout('k6', context);
  if (found.kind !== 'found') throw new Error(`no k6 to test with: ${JSON.stringify(found)}`);
  return { K6_BIN: found.k6.path };
}
