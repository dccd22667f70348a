import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';
import { startReference } from '../testing/reference.ts';

const historyOf = async (cwd: string) =>
  (await readFile(join(cwd, 'runs', 'history.ndjson'), 'utf8')).trimEnd().split('\n');

describe('a nightly run', () => {
  it('fails on a new deviation, accepts a known one, and fails again where a known one holds', async () => {
    const cwd = await temporaryFolder();
    const broken = await startReference({ windowSeconds: 2, faults: ['limit-header-doubled'] });
    const run = (flags: readonly string[], env: Readonly<Record<string, string>>) =>
      // What fills no window is not open on a busy machine either.
      inProcess(['run', ...flags, '--light', '--allow-partial', '--summary', 'summary.md'], cwd, { env });
    expect((await run(broken.flags, broken.env)).code).toBe(1);

    const [folder = ''] = await savedRuns(cwd);
    const speechless = await inProcess(['baseline', 'update', folder], cwd);
    expect([speechless.code, speechless.stderr]).toEqual([2, expect.stringContaining('--reason')]);
    const words = ['--reason', 'ticket 7', '--until', '2999-12-31'];
    const updated = await inProcess(['baseline', 'update', folder, ...words], cwd);
    expect(updated.stdout).toMatch(/^\+ headers\.limit +until 2999-12-31: ticket 7$/m);

    const list = await readFile(join(cwd, 'conformance.baseline.json'), 'utf8');
    await writeFile(join(cwd, 'misspelt.json'), list.replace('headers.limit', 'headers.limits'));
    const misspelt = await inProcess(['judge', folder, '--baseline', 'misspelt.json'], cwd);
    expect([misspelt.code, misspelt.stderr]).toEqual([
      2,
      expect.stringContaining('no clause "headers.limits"; did you mean headers.limit'),
    ]);

    const known = await run(broken.flags, broken.env);
    await broken.service.close();
    expect(known.stdout).toMatch(/^CONFORMANT EXCEPT FOR KNOWN DEVIATIONS: /m);
    expect(known.stdout).toContain('Nothing changed since the run of');
    expect(known.code).toBe(0);

    const mended = await startReference({ windowSeconds: 2 });
    const stale = await run([...mended.flags, '--json'], mended.env);
    await mended.service.close();
    expect(stale.code).toBe(1);
    expect(JSON.parse(stale.stdout)).toMatchObject({
      outcomeReasons: [expect.stringContaining('headers.limit holds, but is listed')],
    });
    expect(await readFile(join(cwd, 'summary.md'), 'utf8')).toMatch(
      /❌ Not conformant[\s\S]*✅ Conformant except for known deviations[\s\S]*❌ Not conformant/,
    );
    expect(await historyOf(cwd)).toHaveLength(3);
  });

  it('repeats an inconclusive run once after one window, and does not pass by that', async () => {
    const cwd = await temporaryFolder();
    const { service, env, flags } = await startReference({ windowSeconds: 2 });
    const oneKey = flags.map((flag) => (flag.includes(',') ? (flag.split(',')[0] ?? '') : flag));
    const { code, stderr } = await inProcess([...oneKey, '--no-load', '--retry-inconclusive'], cwd, { env });
    await service.close();
    // On a busy machine a window of 2 s leaves others open too.
    expect(stderr).toMatch(
      /inconclusive: (\S+, )*limits\.per-key(, \S+)*\. Running once more in 4 s, after one window: what/,
    );
    expect(code).toBe(3);
    expect(await savedRuns(cwd)).toHaveLength(2);
    expect(await historyOf(cwd)).toHaveLength(1);
  });

  it.each([
    [
      'names no clause',
      '{"schemaVersion":1,"deviations":[{"clause":"limits.x","reason":"r","until":"2999-01-01"}]}',
      'there is no clause "limits.x"',
    ],
    ['is not JSON', '{', 'is not JSON'],
  ])('sends nothing where the baseline %s', async (_what, text, message) => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'conformance.baseline.json'), text);
    const { code, stderr } = await inProcess(['run', '--window', '2', '--no-load'], cwd);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(await savedRuns(cwd)).toEqual([]);
  });
});
