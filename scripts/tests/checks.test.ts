import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseTrace } from '../../contract/trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { savedRuns } from '../testing/command-line.ts';
import { type Reference, startReference } from '../testing/reference.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * `npm run checks`, as its script has it. It runs where the project lies: whoever has a settings file of their own there
 * must not find it used by the tests.
 */
async function vitestChecks(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  return ended(cwd, [vitest, 'run', '--project', 'checks', ...args], env);
}

/** The checks in watch mode, rerun once and then left. */
async function watchedChecks(cwd: string, env: Readonly<Record<string, string>>) {
  const script = join(cwd, 'watch.mjs');
  await writeFile(
    script,
    `import { startVitest } from ${JSON.stringify(pathToFileURL(join(root, 'node_modules', 'vitest', 'dist', 'node.js')).href)};
const options = { root: ${JSON.stringify(root)}, project: ['checks'], watch: true, testNamePattern: 'headers.present' };
const vitest = await startVitest('test', [], options);
await vitest.rerunTestSpecifications(await vitest.globTestSpecifications());
await vitest.close();
process.exit(0);
`,
  );
  return ended(cwd, [script], env);
}

async function ended(cwd: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const settings = join(cwd, 'settings.json');
  await writeFile(settings, '{}');
  const out = { CONFORMANCE_OUT: join(cwd, 'runs'), CONFORMANCE_CONFIG: settings };
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir(), NO_COLOR: '1', ...out, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, text };
}

function settingsFor({ url }: Reference['service']): Readonly<Record<string, string>> {
  return {
    CONFORMANCE_URL: url,
    CONFORMANCE_KEY_ENV: 'KEY_A,KEY_B',
    CONFORMANCE_PROFILE: 'reference',
    CONFORMANCE_WINDOW: '2',
  };
}

describe('npm run checks', () => {
  it('probes once, sends what -t needs, and judges that', async () => {
    const cwd = await temporaryFolder();
    const { service, env } = await startReference({ windowSeconds: 2 });
    onTestFinished(() => service.close());
    const { code, text } = await vitestChecks(cwd, ['-t', 'headers.present'], {
      ...env,
      ...settingsFor(service),
    });
    expect(text).toMatch(/Tests +1 passed/);
    expect(code).toBe(0);
    const [run = '', ...others] = await savedRuns(cwd);
    expect(others).toEqual([]);
    // What one answer shows fills no window.
    const { exchanges } = parseTrace(await readFile(join(run, 'trace.ndjson'), 'utf8'));
    expect(exchanges.length).toBeLessThan(20);
  });

  it('probes again where it is rerun in watch mode', async () => {
    const cwd = await temporaryFolder();
    const { service, env } = await startReference({ windowSeconds: 2 });
    onTestFinished(() => service.close());
    const { text } = await watchedChecks(cwd, { ...env, ...settingsFor(service) });
    expect(text.match(/Tests +1 passed/g), text).toHaveLength(2);
    expect(await savedRuns(cwd)).toHaveLength(2);
  });

  it('fails as a whole, with the reason, where the probes cannot be completed', async () => {
    const cwd = await temporaryFolder();
    const { code, text } = await vitestChecks(cwd, [], {
      CONFORMANCE_URL: 'http://127.0.0.1:1',
      CONFORMANCE_KEY_ENV: 'KEY',
      CONFORMANCE_PROFILE: 'reference',
      KEY: 'a-usable-key',
    });
    expect(text).toContain('connection refused (ECONNREFUSED). Check the address');
    expect(text).not.toMatch(/\n\s+at /);
    expect(code).toBe(1);
  });
});
