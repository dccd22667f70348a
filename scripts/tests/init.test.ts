import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referenceRequests } from '../../service/reference-requests.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';
import { startReference } from '../testing/reference.ts';

const below = `GET ${referenceRequests.messagesSubpath.path}`;

describe('conformance init', () => {
  it('takes flags, and prints commands that work on what it wrote', async () => {
    const { service, env } = await startReference({ windowSeconds: 60 });
    const cwd = await temporaryFolder();
    const flags = ['--url', service.url, '--messages', below, '--below', below];
    const { code, stdout, stderr } = await inProcess(['init', ...flags], cwd);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^wrote {3}conformance\.config\.ts\nnext {4}export KEY_A=… KEY_B=…\n/);
    const commands = [...stdout.matchAll(/npm run conformance -- (\w+)(.*)$/gm)].map(
      ([, name = '', rest = '']) => [name, ...rest.split(' ').filter((word) => word !== '')],
    );
    expect(commands.map(([name]) => name)).toEqual(['doctor', 'run']);
    const [doctor = [], run = []] = commands;
    const examined = await inProcess([...doctor, '--no-load'], cwd, { env });
    expect(examined.code, examined.stdout).toBe(0);
    expect(examined.stdout).toContain('READY');
    // A whole run takes a minute.
    const light = await inProcess([...run, '--light', '--allow-partial', '--no-history'], cwd, { env });
    await service.close();
    expect(light.code, light.stdout).toBe(0);
    expect(light.stdout).toContain('settings from conformance.config.ts');
  });

  it('names the hosts that need consent, and a file that has to be named', async () => {
    const cwd = await temporaryFolder();
    const urls = 'https://a.example.test,https://b.example.test';
    const { stdout } = await inProcess(['init', '--url', urls, '--out', 'staging.config.ts'], cwd);
    const flags = '--config staging.config.ts --allow-host a.example.test,b.example.test';
    expect(stdout).toContain(`npm run conformance -- doctor ${flags}\n`);
    const planned = await inProcess(['plan', ...flags.split(' ')], cwd);
    expect([planned.code, planned.stderr]).toEqual([0, '']);
    expect(planned.stdout).toContain('target  https://a.example.test, https://b.example.test');
  });

  it('asks a person, again where an answer cannot be used, and takes an empty one as usual', async () => {
    const cwd = await temporaryFolder();
    const typed = [
      'api.example.test',
      'https://api.example.test',
      'MY_KEY',
      '',
      '',
      'none',
      '/v1/media',
      'PUT /v1/media',
      '',
    ];
    const { code, stdout } = await inProcess(['init'], cwd, { answers: typed });
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('It must be an http:// or https:// URL');
    expect(stdout).toContain('It must be a method and a path');
    expect(stdout).toContain('npm run conformance -- run --allow-host api.example.test');
    const text = await readFile(join(cwd, 'conformance.config.ts'), 'utf8');
    expect(text).toContain("baseUrls: ['https://api.example.test'],");
    expect(text).toContain("keyEnv: ['MY_KEY'],");
    expect(text).toContain("messages: { method: 'GET', path: '/v1/messages?limit=1' },");
    expect(text).toContain(
      "media: { method: 'PUT', path: '/v1/media', body: { file: { field: 'file', bytes: 64 } } },",
    );
  });

  it('writes nothing where the person breaks off', async () => {
    const cwd = await temporaryFolder();
    const { code, stderr } = await inProcess(['init'], cwd, { answers: ['https://api.example.test'] });
    expect([code, stderr]).toEqual([130, 'interrupted; nothing was written\n']);
    await expect(readFile(join(cwd, 'conformance.config.ts'))).rejects.toThrow('ENOENT');
  });

  it('refuses what cannot be used, and writes over nothing without being told', async () => {
    const cwd = await temporaryFolder();
    const said = async (...args: readonly string[]) => {
      const { code, stderr } = await inProcess(['init', ...args], cwd);
      return `${code} ${stderr}`;
    };
    const url = ['--url', 'https://api.example.test'];
    expect(await said()).toMatch(/^2 .*--url is missing: Base URL of the deployment/);
    expect(await said(...url, '--key-env', 'CANARY7QM2FXW9ZLP4')).toMatch(
      /^2 .*--key-env: It looks like a key itself/,
    );
    expect(await said(...url, '--standard', 'GET /v1/status?token=canary')).toMatch(
      /^2 .*hold what looks like a secret(?![\s\S]*canary)/,
    );
    expect(await said(...url, '--out', 'nowhere/conformance.config.ts')).toMatch(
      /^2 .*cannot be written: ENOENT.*--out/,
    );
    await writeFile(join(cwd, 'conformance.config.ts'), 'export default {};');
    expect(await said(...url)).toMatch(
      /^2 .*conformance\.config\.ts is there already: --force writes over it/,
    );
    expect(await said(...url, '--force')).toBe('0 ');
  });
});
