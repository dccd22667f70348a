import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { driveReportSchema } from '../../reports/drive/drive-result.ts';
import { makeAuthority } from '../../testing/certificates.ts';
import { frontForTest } from '../../testing/for-one-test.ts';
import { skipWithout } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, everythingIn, once, savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';

const cwd = await temporaryFolder();
const secrets = { HOOK: 'the-new-secret-of-a-test', OLD_HOOK: 'the-old-secret-of-a-test' };
const quick = ['--burst-seconds', '1', '--effects-wait', '0.5'];
const children: ChildProcess[] = [];
const closers: (() => void)[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill();
  for (const close of closers.splice(0)) close();
});

/** Starts an example that says where it receives, and gives its address. */
function example(command: string, file: string): Promise<string> {
  const path = join(import.meta.dirname, '../../docs/receivers', file);
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: tmpdir(),
    WEBHOOK_SECRET: secrets.HOOK,
    WEBHOOK_SECRET_OLD: secrets.OLD_HOOK,
  };
  const child = spawn(command, [path, '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
    child.stdout.setEncoding('utf8').once('data', (text: string) => {
      resolve(text.trim().replace('receiving on ', ''));
    });
  });
}

/** A receiver that gives everything the same answer, and keeps how often it was asked. */
async function answering(status: number, body = '') {
  const asked = { count: 0 };
  const server = createServer((request, response) => {
    asked.count += 1;
    request.resume().once('end', () => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}

function missing(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return true;
  }
}

describe('webhooks drive', () => {
  it.for([
    ['Node', process.execPath, 'receiver.ts'],
    ['Python’s standard library', 'python3', 'receiver.py'],
  ] as const)('passes the example with nothing but %s in every case', async ([, command, file], context) => {
    if (missing(command)) skipWithout('python', context);
    const to = await example(command, file);
    const effects = to.replace('/hooks', '/effects');
    const given = ['--to', to, '--secret-env', 'HOOK,OLD_HOOK', '--effects', effects];
    const args = ['webhooks', 'drive', ...given, ...quick, '--json'];
    const { code, stdout, stderr } = await inProcess(args, cwd, { env: secrets });
    const report = driveReportSchema.parse(JSON.parse(stdout));
    expect(report.cases.filter(({ verdict }) => verdict.kind !== 'held')).toEqual([]);
    expect(report.answers).toMatchObject({ sent: 15, accepted: 15, eventsPerSecond: 15 });
    expect(code).toBe(0);
    expect(stderr).toContain('46 cases, 133 deliveries');
  });

  it('goes to a receiver and its effects behind encryption, through what leads there', async () => {
    const authority = makeAuthority('authority of this test');
    const to = new URL(await example(process.execPath, 'receiver.ts'));
    const certificate = authority.issue({ names: ['hooks.example.test'] });
    const front = await frontForTest({ certificate, before: Number(to.port) });
    await writeFile(join(cwd, 'ca.pem'), authority.cert);
    const place = `hooks.example.test:${front.port}`;
    const addresses = ['--to', `https://${place}/hooks`, '--effects', `https://${place}/effects`];
    const way = ['--ca', 'ca.pem', '--resolve', `${place}:127.0.0.1`];
    // Each opens connections in another way: for one request, for several, for none, and to ask for effects.
    const only = ['--only', 'connection.reused,connection.held,effect.once-in-turn'];
    const args = ['webhooks', 'drive', ...addresses, ...way, '--secret-env', 'HOOK', ...only, '--json'];
    // Another process: many connections are encrypted at once, and here are their other ends.
    const { code, stdout, stderr } = await conformance(args, { cwd, env: secrets });
    expect(code, stdout).toBe(0);
    const { cases } = driveReportSchema.parse(JSON.parse(stdout));
    expect(cases.filter(({ verdict }) => verdict.kind === 'held').length).toBeGreaterThanOrEqual(4);
    expect(stderr).toContain('trusting the authorities in ca.pem too');
    expect(new Set(front.seen.map(({ host }) => host))).toEqual(new Set([place]));
    const folder = (await savedRuns(cwd)).at(-1) ?? '';
    expect(await readFile(join(folder, 'trace.ndjson'), 'utf8')).toMatch(
      // All of them, where the machine is not too busy to encrypt so many at once.
      /connection\.held: [1-9]\d* of \d+ connections could be opened/,
    );
  });

  it('grades a receiver that answers 200 to all, saves the run without a secret, and judges it again', async () => {
    const { url } = await answering(200, `configured with ${secrets.HOOK}`);
    const args = ['webhooks', 'drive', '--to', url, '--secret-env', 'HOOK', '--only', 'forged'];
    const { code, stdout } = await inProcess(args, cwd, { env: secrets });
    // Nobody can see whether it verifies nothing, or drops forgeries after the answer.
    expect(code).toBe(3);
    expect(stdout).toMatch(/OPEN: 2 of 16 cases passed, 14 open;/);
    expect(stdout).toContain('16 of 46 cases were chosen');
    expect(
      stdout.replaceAll(/\s+/g, ' ').match(/either nothing is verified, or they are dropped/g),
    ).toHaveLength(1);
    expect(stdout).toContain('--effects');
    const folder = (await savedRuns(cwd)).at(-1) ?? '';
    const saved = await everythingIn(folder);
    expect(saved + stdout).not.toContain(secrets.HOOK);
    expect(saved).toContain('configured with [key secret 1]');
    expect(await readFile(join(folder, 'junit.xml'), 'utf8')).toContain('skipped="14"');
    const again = await inProcess(['judge', folder], cwd);
    expect(again.code).toBe(3);
    expect(again.stdout).toContain('OPEN: 2 of 16 cases passed');
  });

  it('stops after the first event is refused, and tries what the receiver may compute', async () => {
    const { url, asked } = await answering(401);
    const { code, stdout } = await inProcess(
      ['webhooks', 'drive', '--to', url, '--secret-env', 'HOOK'],
      cwd,
      { env: secrets },
    );
    expect(code).toBe(1);
    expect(stdout).toContain('its secret is not the one in HOOK');
    expect(stdout).toContain('a valid event was not accepted');
    expect(asked.count).toBeGreaterThan(60);
    expect(asked.count).toBeLessThan(220);
  });

  it('says nothing about a receiver that cannot be reached', async () => {
    const { code, stdout } = await inProcess(
      ['webhooks', 'drive', '--to', 'http://127.0.0.1:9/hooks', '--secret-env', 'HOOK'],
      cwd,
      { env: secrets },
    );
    expect(code).toBe(3);
    expect(stdout).toContain('connection refused');
    expect(stdout).toMatch(/OPEN: 0 of /);
  });

  it('ends at once when it is interrupted, and keeps the trace', async () => {
    const { url } = await answering(200);
    const { code, stderr } = await conformance(['webhooks', 'drive', '--to', url, '--secret-env', 'HOOK'], {
      cwd,
      env: secrets,
      onOutput: once('Burst', (child) => child.kill('SIGINT')),
    });
    expect(code).toBe(130);
    expect(stderr).toMatch(/interrupted; the trace so far is in .*trace\.ndjson/);
  });
});

describe('webhooks cases', () => {
  it('lists them, and explains one', async () => {
    const list = await inProcess(['webhooks', 'cases'], cwd);
    expect(list.stdout).toMatch(/forged\.doubled-header +should +two signatures/);
    const one = await inProcess(['webhooks', 'cases', 'effect.any-order'], cwd);
    expect(one.stdout).toMatch(/needs {5}a URL that shows the effects/);
    expect([list.code, one.code]).toEqual([0, 0]);
  });
});

describe('unusable input', () => {
  const to = ['--to', 'http://127.0.0.1:9/'];
  const drive = ['webhooks', 'drive'];

  it.each([
    [
      'another host',
      [...drive, '--to', 'http://x.example.test/', '--secret-env', 'HOOK'],
      '--allow-host x.example.test',
    ],
    ['no variable', [...drive, ...to, '--secret-env', 'NO_HOOK'], 'NO_HOOK is not set'],
    ['a burst too long', [...drive, ...to, '--secret-env', 'HOOK', '--burst-seconds', '601'], 'at most 600'],
    [
      'a rate of 0',
      [...drive, ...to, '--secret-env', 'HOOK', '--send-rate', '0'],
      'It must be a number of messages a second above 0, at most 300',
    ],
    [
      'one event for another host',
      ['webhooks', 'send', 'read', '--to', 'http://x.example.test/', '--unsigned'],
      'is not on this machine, and one event would be sent there',
    ],
    [
      'one variable twice',
      ['webhooks', 'verify', '--body', 'x', '--signature', 'x', '--secret-env', 'HOOK,HOOK'],
      '--secret-env names HOOK twice',
    ],
    [
      'an empty signature',
      ['webhooks', 'verify', '--body', 'x', '--signature', '', '--secret-env', 'HOOK'],
      '--signature is empty',
    ],
    ['an unknown option', [...drive, '--too', 'x'], 'conformance webhooks drive --help'],
    ['an unknown case', ['webhooks', 'cases', 'forged.sha'], 'did you mean forged.sha1?'],
    [
      'a case like no other',
      ['webhooks', 'cases', 'nope'],
      'There is no case "nope". "conformance webhooks cases" lists all.',
    ],
  ] as const)('%s: exit 2, and what to do', async (_what, args, says) => {
    const { code, stdout, stderr } = await inProcess(args, cwd, { env: secrets });
    expect(stderr).toContain(says);
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });
});
