import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../contract/trace.ts';
import { type Report, reportSchema } from '../../reports/result.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';
import { startReference } from '../testing/reference.ts';

const reportOf = (text: string): Report => reportSchema.parse(JSON.parse(text));
const violatedIn = ({ clauses }: Report) =>
  clauses.filter(({ level, verdict }) => level === 'must' && verdict.kind === 'violated').map(({ id }) => id);

describe('conformance run', () => {
  it('without settings validates the embedded service, and saves what it says', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout, stderr } = await conformance(['--window', '2', '--no-load', '--json'], { cwd });
    const report = reportOf(stdout);
    expect(violatedIn(report)).toEqual([]);
    expect(report.outcomeReasons.join()).not.toContain('incomplete');
    expect(code).toBe(report.exitCode);
    expect(report.deployment.name).toBe('the embedded reference service');
    expect(report.window.isDocumented).toBe(false);
    expect(stderr).toMatch(/plan +at most \d+ requests, \d+ a second at peak/);
    const [folder = ''] = await savedRuns(cwd);
    expect(await readFile(join(folder, 'report.json'), 'utf8')).toBe(stdout);
    expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toContain('<testsuites');
    const trace = parseTrace(await readFile(join(folder, 'trace.ndjson'), 'utf8'));
    expect(trace.end).toMatchObject({ complete: true, reason: null });
    expect(report.webhooks?.counts.must).toMatchObject({ held: 12, violated: 0, inconclusive: 0 });
    const latency = report.webhooks?.clauses.find(({ id }) => id === 'webhook.latency')?.verdict;
    // Every message that was answered 2xx has its event; one without an answer may have been accepted too.
    const text = latency?.kind === 'observed' ? latency.value : '';
    const [, sent = '', accepted = ''] =
      /(\d+) of (\d+)(?: to \d+)? messages accepted had a message\.sent/.exec(text) ?? [];
    expect(Number(accepted)).toBeGreaterThan(0);
    expect(Number(sent)).toBeGreaterThanOrEqual(Number(accepted));

    const again = await inProcess(['judge', folder, '--json'], cwd);
    expect({ ...reportOf(again.stdout), judgedAt: report.judgedAt }).toEqual(report);
    expect(again.code).toBe(code);
  });

  it('ends with the verdict in one line, and exit 1 where a clause is violated', async () => {
    const cwd = await temporaryFolder();
    const { service, env, flags } = await startReference({
      windowSeconds: 2,
      faults: ['headers-missing-on-429'],
    });
    const { code, stdout } = await inProcess([...flags, '--no-load'], cwd, { env });
    await service.close();
    expect(code).toBe(1);
    // The verdict, the breach in plain words, and where the rest is.
    const said = stdout
      .slice(stdout.indexOf('\nNOT CONFORMANT: ') + 1)
      .trimEnd()
      .split('\n');
    expect(said[0]).toMatch(/^NOT CONFORMANT: .*1 violated.* s$/);
    expect(said[1]).toBe('VIOLATED      headers.present: Rate-limit headers are missing on some answers.');
    const [folder = ''] = await savedRuns(cwd);
    expect(said.at(-1)).toBe(`page    ${relative(cwd, folder)}/report.html  (--verbose shows all here)`);
    expect(stdout).not.toMatch(/^Measured$/m);

    const full = await inProcess(['judge', folder, '--verbose'], cwd);
    expect(full.stdout).toMatch(/VIOLATED +headers\.present/);
    expect(full.stdout).toContain('headers.present: Rate-limit headers are missing on some answers');
    expect(full.stdout).toMatch(/^Measured$/m);
    expect(full.stdout.trimEnd().split('\n').at(-1)).toMatch(/^NOT CONFORMANT: .*1 violated.* s$/);
    const quiet = await inProcess(['judge', folder, '--quiet'], cwd);
    expect(quiet.stdout).toBe(`${said[0]}\n`);
    const both = await inProcess(['judge', folder, '--quiet', '--verbose'], cwd);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);

    const judged = await inProcess(
      ['judge', '--each', folder, join(folder, 'trace.ndjson'), '--out', 'runs'],
      cwd,
    );
    expect(judged.code).toBe(1);
    expect(judged.stdout.match(/^NOT CONFORMANT/gm)).toHaveLength(2);
    expect(judged.stdout.match(/^page {4}runs\/.*report\.html/gm)).toHaveLength(2);
    expect(await savedRuns(cwd)).toHaveLength(3);
  });

  it('looks at a service lightly with --light, and says what that leaves open', async () => {
    const cwd = await temporaryFolder();
    const { service, env, flags } = await startReference({ windowSeconds: 60 });
    const { code, stdout } = await inProcess([...flags, '--light'], cwd, { env });
    const accepted = await inProcess([...flags, '--light', '--allow-partial', '--quiet'], cwd, { env });
    await service.close();
    const said = stdout.replaceAll(/\s+/g, ' ');
    expect(said).toMatch(/Light run: \d+ clauses were not run; it proves nothing about the limits\./);
    expect(said).toMatch(/Not enough was run: .* not judged \(limits\.standard, .* a run without --light/);
    expect(said).toMatch(/INCONCLUSIVE: /);
    expect(code).toBe(3);
    expect(accepted.stdout).toMatch(/^CONFORMANT: .*\npage {4}runs\/.*\/report\.html\n$/);
    expect(accepted.code).toBe(0);
    const [folder = ''] = await savedRuns(cwd);
    expect((await inProcess(['judge', folder], cwd)).code).toBe(3);
    expect((await inProcess(['judge', folder, '--allow-partial'], cwd)).code).toBe(0);
  });

  it('runs no load without k6, says how to get one, and exits 3', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout } = await inProcess(['load', 'messages-burst'], cwd, { env: { PATH: '/nowhere' } });
    expect(code).toBe(3);
    expect(stdout).toContain('set K6_BIN to the path of a k6 v2 program');
    expect(stdout).toMatch(/^INCONCLUSIVE: /m);
  });

  it('takes a scope without a request for not run, and is incomplete', async () => {
    const cwd = await temporaryFolder();
    const { service, env, flags } = await startReference({ windowSeconds: 2 });
    const withoutProfile = flags.filter((flag) => flag !== '--profile' && flag !== 'reference');
    const { code, stdout } = await inProcess([...withoutProfile, '--no-load'], cwd, { env });
    await service.close();
    expect(stdout.replaceAll('\n', ' ')).toContain('nothing was sent for messages and media');
    expect(stdout.replaceAll('\n', ' ')).toContain('set requests.messages and requests.media');
    expect(code).toBe(3);
  });
});
