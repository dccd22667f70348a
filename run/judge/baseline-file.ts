import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf, messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import type { Baseline } from '../../reports/baseline/baseline.ts';

const defaultBaselineName = 'conformance.baseline.json';

/** `false` where the baseline is left out; `undefined` where nothing is said. */
export type NamedBaseline = string | false | undefined;

export function baselinePath(named: NamedBaseline, cwd: string): string {
  return resolve(cwd, typeof named === 'string' ? named : defaultBaselineName);
}

/**
 * The known deviations: of the file that was named, else of `conformance.baseline.json` in the working directory, else
 * `null`.
 * @throws {UsageError} where a named file is not there, or any is not a baseline; names the field.
 */
export async function loadBaseline(named: NamedBaseline, cwd: string): Promise<Baseline | null> {
  if (named === false) return null;
  const path = baselinePath(named, cwd);
  const text = await textOf(path);
  if (text === null) {
    if (named === undefined) return null;
    throw new UsageError(
      `The baseline ${path} does not exist. "conformance baseline update" writes one; --no-baseline does without.`,
    );
  }
  // Loaded where there is one: most who judge have none.
  const { plainly } = await import('../mistakes/plainly.ts');
  const { baselineSchema } = await import('../../reports/baseline/baseline.ts');
  const parsed = baselineSchema.safeParse(jsonOf(text, path), plainly);
  if (parsed.success) return parsed.data;
  const { explainIssues } = await import('../target/explain-issues.ts');
  const words = { fixes: {}, whole: 'the baseline', schema: baselineSchema };
  throw new UsageError(`The baseline ${path} cannot be used:\n${explainIssues(parsed.error, words)}`);
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new UsageError(`The baseline ${path} cannot be read: ${messageOf(error)}.`);
  }
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The baseline ${path} is not JSON: ${messageOf(error)}.`);
  }
}
