import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { exitCodes } from '../../reports/outcome.ts';

/**
 * What a process took since it had started, or since its work began where it says so; the peak is of all of it, what Node and
 * the program's own code take among it.
 */
export type ProcessFigures = {
  readonly cpuSeconds: number;
  /** By the clock: several threads judge some traces. */
  readonly seconds: number;
  readonly peakMegabytes: number;
};

const told = pathToFileURL(join(import.meta.dirname, 'told-at-exit.js')).href;

/** Runs a script of JavaScript or TypeScript in a process of its own, and measures it. */
export async function figuresOfProcess(script: string, ...args: readonly string[]): Promise<ProcessFigures> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', told, script, ...args]).catch(
    (error: { readonly code?: unknown; readonly stdout: string }) => {
      // What is judged is no question here; a script that fails ends as what breaks its promise does, but says nothing of that.
      const isBroken = error.code === exitCodes['not-conformant'] && error.stdout.includes('NOT CONFORMANT');
      if (!isBroken && error.code !== exitCodes.inconclusive) throw error;
      return error;
    },
  );
  return JSON.parse(stdout.split('\n').at(-1) ?? '') as ProcessFigures;
}
