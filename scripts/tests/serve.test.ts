import { access, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { redisIsHere, startRedis } from '../../service/testing/redis-server.ts';
import { needing } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, once } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';

const noFile = (path: string) =>
  access(path).then(
    () => false,
    () => true,
  );

describe('conformance serve', () => {
  it('makes keys that only their file holds, serves them, and ends well on SIGTERM', async () => {
    const cwd = await temporaryFolder();
    let seen: Promise<void> | undefined;
    let keyFile = '';
    const look = async (text: string): Promise<void> => {
      const [url = '', path = ''] = text.trim().split('\n');
      keyFile = path;
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const [, secret = ''] = /CONFORMANCE_KEY_A=(\S+)/.exec(await readFile(path, 'utf8')) ?? [];
      const answer = await fetch(`${url}/v1/status`, { headers: { authorization: `Bearer ${secret}` } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-ratelimit-limit')).toBe('7');
      await answer.arrayBuffer();
    };
    let text = '';
    const onOutput = once('keys.env\n', (child) => {
      seen = look(text).finally(() => child.kill('SIGTERM'));
    });
    const args = ['serve', '--port', '0', '--limit', 'standard=7', '--quiet'];
    const { code, stdout } = await conformance(args, {
      cwd,
      onOutput: (said) => {
        text = said.text;
        onOutput(said);
      },
    });
    await seen;
    expect(stdout).not.toContain('key_');
    expect(code).toBe(0);
    expect(await noFile(keyFile)).toBe(true);
  });

  it.each([
    ['api-key', /^ {2}header {2}X-Api-Key: KEY$/m],
    ['query-key', /^ {2}query {3}\?api_key=KEY$/m],
  ])('says where a document has its keys: %s', async (example, says) => {
    const cwd = await temporaryFolder();
    const document = join(import.meta.dirname, `../../documents/examples/${example}.yaml`);
    const { stdout } = await conformance(['serve', '--port', '0', '--document', document], {
      cwd,
      onOutput: once('Ctrl-C ends it.', (child) => child.kill('SIGTERM')),
    });
    expect(stdout).toMatch(says);
  });

  it('needs no key of a document that says so, and is held to it without one', {
    timeout: 60_000,
  }, async () => {
    const cwd = await temporaryFolder();
    const scopes = { items: { title: 'all', limit: 20, promise: 'fixed', request: { path: '/items' } } };
    const document = {
      version: 1,
      title: 'x',
      windowSeconds: 4,
      errors: 'none',
      keys: 'none',
      countedBy: 'address',
      scopes,
    };
    await writeFile(join(cwd, 'own.yaml'), JSON.stringify(document));
    let text = '';
    let judged: ReturnType<typeof inProcess> | null = null;
    const onEnd = once('Ctrl-C ends it.', (child) => {
      const [, line = ''] = /npm start -- (.*)/.exec(text) ?? [];
      judged = inProcess(['run', ...line.split(' ')], cwd).finally(() => child.kill('SIGTERM'));
    });
    const { stdout } = await conformance(['serve', '--port', '0', '--document', 'own.yaml'], {
      cwd,
      onOutput: (said) => {
        text = said.text;
        onEnd(said);
      },
    });
    expect(stdout).toContain('items 20 in each 4 s, for each address');
    expect(stdout).toContain('  keys    none is needed');
    // On a busy machine a window of 4 s may leave something open.
    expect(await judged).toMatchObject({ stdout: expect.stringMatching(/^(CONFORMANT|INCONCLUSIVE): /m) });
  });

  it('says of each limit of a document what kind it is, in the window that it keeps', async () => {
    const cwd = await temporaryFolder();
    const document = join(import.meta.dirname, '../../documents/examples/busy.yaml');
    const args = ['serve', '--port', '0', '--document', document, '--window', '30', '--limit', 'rest=7'];
    const { stdout } = await conformance(args, {
      cwd,
      onOutput: once('Ctrl-C ends it.', (child) => child.kill('SIGTERM')),
    });
    expect(stdout).toContain(
      'reports 12 at once, and 12 in 20 s after that; rest 7 in each 30 s, for each key',
    );
  });

  it.each([
    ['address-and-key', 'rest 60 in each 60 s\n  counts  search by address, without a key; rest by key\n'],
    ['by-address', 'rest 60 in any 60 s, for each address\n'],
  ])('says whose requests are counted together: %s', async (name, says) => {
    const cwd = await temporaryFolder();
    const document = join(import.meta.dirname, `../../documents/examples/${name}.yaml`);
    const { stdout } = await conformance(['serve', '--port', '0', '--document', document], {
      cwd,
      onOutput: once('Ctrl-C ends it.', (child) => child.kill('SIGTERM')),
    });
    expect(stdout).toContain(says);
  });

  it('says how to check it', async () => {
    const cwd = await temporaryFolder();
    const { stdout } = await conformance(['serve', '--port', '0', '--key-env', 'MINE', '--window', '5'], {
      cwd,
      env: { MINE: 'a-usable-key' },
      onOutput: once('Ctrl-C ends it.', (child) => child.kill('SIGINT')),
    });
    expect(stdout).toMatch(
      /npm start -- --url http:\/\/127\.0\.0\.1:\d+ --profile reference --key-env MINE --window 5\n/,
    );
  });

  it('serves several nodes, and says which they are', async () => {
    const cwd = await temporaryFolder();
    const args = ['serve', '--port', '0', '--nodes', '3', '--store', 'none', '--key-env', 'MINE'];
    const { stdout } = await conformance(args, {
      cwd,
      env: { MINE: 'a-usable-key' },
      onOutput: once('Ctrl-C ends it.', (child) => child.kill('SIGINT')),
    });
    const [, command = ''] = /npm start -- --url (\S+)/.exec(stdout) ?? [];
    expect(new Set(command.split(',')).size).toBe(3);
    for (const url of command.split(',')) expect(stdout).toContain(`\n  ${url}\n`);
    expect(stdout).toContain('store   none: each node counts for itself');
  });

  it('reports an outage of Redis once, and never its password', needing('redis', redisIsHere()), async () => {
    const cwd = await temporaryFolder();
    const redis = await startRedis({ password: 'canary' });
    const serving = once('Ctrl-C ends it.', () => void redis.kill());
    const failing = once('503 until it does', () => void redis.start());
    const mended = once('answers again', (child) => child.kill('SIGTERM'));
    const args = ['serve', '--port', '0', '--nodes', '2', '--store-env', 'STORE', '--key-env', 'MINE'];
    const { code, stdout, stderr } = await conformance(args, {
      cwd,
      env: { MINE: 'a-usable-key', STORE: redis.url.replace('unix://', 'unix://:canary@') },
      onOutput: (said) => {
        for (const act of [serving, failing, mended]) act(said);
      },
    });
    await redis.remove();
    expect(code).toBe(0);
    expect(stdout).toContain(`store   Redis at ${redis.url}: all nodes on it count together`);
    expect(stderr).toMatch(/^Redis at .* does not answer \(.*\): .*\nRedis at .* answers again\.\n$/);
    expect(stdout + stderr).not.toContain('canary');
  });
});
