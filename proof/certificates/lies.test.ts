/** Certificates that agree with themselves and with their trace, and are false all the same. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { needing } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { faultSubjects, variantSubjects } from '../faults/subjects.ts';
import { wholeTrace } from '../faults/whole-run.ts';
import { hasPython } from '../foreign/foreign-batch.ts';
import { certifiableTraces } from '../testing/certifiable-traces.ts';
import { type Lie, type Line, lies, restated, type ToldCertificate } from '../testing/lies.ts';
import { writeProven } from './gate-certificates.ts';

const root = join(import.meta.dirname, '../..');

describe('the checker of certificates', needing('python', hasPython()), () => {
  let whole = '';

  beforeAll(async () => {
    whole = await temporaryFolder();
    const names = new Set(lies.map(({ of: [name] }) => name));
    const small = certifiableTraces.filter(([name]) => names.has(name));
    const subjects = [...faultSubjects, ...variantSubjects].filter(({ name }) => names.has(name));
    for (const [name, trace] of small) await writeProven(join(whole, name), trace);
    for (const { name, open, setting } of subjects)
      await writeProven(join(whole, name), wholeTrace({ service: open(), setting, seed: 1 }));
  });

  test('confirms what the lies are made from, stated anew', async () => {
    const ones = [...new Map(lies.map(({ of }) => [of.join(' '), of])).values()];
    const nothing = ones.map((of) => ({ name: of.join(' '), of, tell: () => undefined }));
    expect((await told(nothing)).filter((line) => !line.endsWith(': confirmed'))).toEqual([]);
  });

  test(`confirms none of ${lies.length} lies`, async () => {
    const lines = await told(lies);
    expect(lines).toHaveLength(lies.length);
    expect(lines.filter((line) => !line.includes(': rejected: '))).toEqual([]);
  });

  /** The checker's line on each. Those about one trace as it is share a folder, so that it is read once. */
  async function told(chosen: readonly Lie[]): Promise<readonly string[]> {
    const folder = await temporaryFolder();
    const folders = new Set<string>();
    for (const [at, lie] of chosen.entries()) {
      const own = join(folder, lie.lines === undefined ? lie.of[0] : `${at} ${lie.name}`);
      folders.add(own);
      await tell(own, `${at} ${lie.name}`, lie);
    }
    return printed([...folders]);
  }

  async function tell(folder: string, file: string, { of: [name, clause], tell, lines }: Lie): Promise<void> {
    const text = await readFile(join(whole, name, 'trace.ndjson'), 'utf8');
    const saved = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    const certificate = JSON.parse(
      await readFile(join(whole, name, 'evidence', `${clause}.json`), 'utf8'),
    ) as ToldCertificate;
    tell(certificate, saved);
    await mkdir(join(folder, 'evidence'), { recursive: true });
    const other = lines?.(saved) ?? saved;
    const written = lines === undefined ? text : other.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeFile(join(folder, 'trace.ndjson'), written);
    const traceSha256 = createHash('sha256').update(written).digest('hex');
    const stated = { ...restated(certificate, other), traceSha256 };
    await writeFile(join(folder, 'evidence', `${file}.json`), JSON.stringify(stated));
  }
});

function printed(folders: readonly string[]): readonly string[] {
  const script = join(root, 'proof/certificates/check.py');
  try {
    return execFileSync('python3', ['-B', script, ...folders], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
  } catch (error) {
    // Exit status 1: some were rejected.
    return String((error as { stdout?: string }).stdout)
      .trimEnd()
      .split('\n');
  }
}
