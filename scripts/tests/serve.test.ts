import { access, readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { conformance, once, temporaryFolder } from '../testing/command-line.ts';

const noFile = (path: string) =>
  access(path).then(
    () => false,
    () => true,
  );

describe('conformance serve', () => {
  it('makes keys that only their file tells, serves them, and ends well on SIGTERM', async () => {
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
});
