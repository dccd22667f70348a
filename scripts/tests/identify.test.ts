import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { identificationSchema } from '../../contract/identification.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, once } from '../testing/command-line.ts';

const cwd = await temporaryFolder();
const rate = { limit: 24, windowMs: 3_000 };
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

type Limited = {
  readonly window: RateWindow | null;
  readonly refusal?: number;
  /** What every request is answered with that the limiter lets pass. */
  readonly status?: number;
};

/** An endpoint behind a limiter, without any header of one; keeps what it was asked. */
async function endpoint({ window, refusal = 429, status = 200 }: Limited) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    request.resume();
    response.statusCode = window === null || window.decide(Date.now()).admitted ? status : refusal;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { asked, url: `http://127.0.0.1:${port}/items?page=1` };
}

const expected = ['--window', '3'];

describe('identify', () => {
  it('prints one object that names the limiter, and nothing else', async () => {
    const { url, asked } = await endpoint({ window: openWindow(slidingLog(rate)) });
    const secret = 'a-key-of-a-test';
    const { code, stdout, stderr } = await conformance(
      [
        'identify',
        '--url',
        url,
        ...expected,
        '--json',
        '--key-env',
        'KEY',
        '--header-env',
        'X-Api-Key=OTHER',
      ],
      { cwd, env: { KEY: secret, OTHER: 'another-key' } },
    );
    const found = identificationSchema.parse(JSON.parse(stdout));
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(found.limit).toBe(rate.limit);
    expect([found.algorithm].flat()).toContain('sliding-log');
    expect(found.windowSeconds?.low).toBeLessThanOrEqual(3);
    expect(found.windowSeconds?.high).toBeGreaterThanOrEqual(3);
    expect(code).toBe(0);
    expect(stderr).toContain('identify');
    expect(stdout + stderr).not.toContain(secret);
    expect(asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'x-api-key': 'another-key',
    });
    expect(asked[0]?.url).toBe('/items?page=1');
  });

  it('takes another status for a refusal where a flag says so', async () => {
    const { url } = await endpoint({ window: openWindow(fixedWindowFirstRequest(rate)), refusal: 503 });
    const args = [
      'identify',
      '--url',
      url,
      ...expected,
      '--refused-by',
      '503',
      '--method',
      'POST',
      '--body',
      '{}',
    ];
    const { code, stdout } = await conformance(args, { cwd });
    expect(stdout).toMatch(/fixed-window-first-request/);
    expect(stdout).toMatch(/limit {7}24 in 3 s/);
    expect(code).toBe(0);
  });

  it('says so where nothing is refused', async () => {
    const { url } = await endpoint({ window: null });
    const { code, stdout, stderr } = await conformance(
      ['identify', '--url', url, '--requests', '40', ...expected, '--json'],
      { cwd },
    );
    expect(stderr).toMatch(/refused none of \d+ requests/);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });

  it('names the status that may be a refusal, and does not go on for long', async () => {
    // So long that it does not end before a slow machine has asked.
    const window = openWindow(fixedWindowFirstRequest({ ...rate, windowMs: 3_600_000 }));
    const { url, asked } = await endpoint({ window, refusal: 503 });
    const { code, stdout, stderr } = await conformance(['identify', '--url', url, '--window', '60'], { cwd });
    expect(stderr).toMatch(/answered 2[45] requests, and then every one with 503, never with 429/);
    expect(stderr).toContain('--refused-by 503');
    expect(asked.length).toBeLessThan(150);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });

  it('says that a key may be missing where nothing is answered well', async () => {
    const { url } = await endpoint({ window: null, status: 401 });
    const { code, stderr } = await conformance(['identify', '--url', url, '--requests', '40', ...expected], {
      cwd,
    });
    expect(stderr).toMatch(/answered all of \d+ requests with 401: it may need a key \(--key-env/);
    expect(code).toBe(3);
  });

  it('ends at once when it is interrupted', async () => {
    const { url } = await endpoint({ window: openWindow(slidingLog(rate)) });
    const { code, stdout } = await conformance(['identify', '--url', url, ...expected], {
      cwd,
      onOutput: once('as many as pass', (child) => child.kill('SIGINT')),
    });
    expect(stdout).toBe('');
    expect(code).toBe(130);
  });

  it.each([
    ['nobody there', ['--url', 'http://127.0.0.1:9/x'], 3, 'connection refused'],
    ['another host', ['--url', 'http://api.example.test/x'], 2, '--allow-host api.example.test'],
    ['no address', ['--url', 'x'], 2, 'give an http:// or https:// address'],
    ['a secret in the address', ['--url', 'http://a:b@127.0.0.1/'], 2, 'by --key-env or --header-env'],
    ['a missing variable', ['--url', 'http://127.0.0.1:9/', '--key-env', 'NO_KEY'], 2, 'NO_KEY is not set'],
    [
      'a header without a name',
      ['--url', 'http://127.0.0.1:9/', '--header', '=x'],
      2,
      'give a header and its value',
    ],
    ['no status', ['--url', 'http://127.0.0.1:9/', '--refused-by', '200'], 2, 'from 300 to 599'],
  ] as const)('%s: says what to do', async (_what, args, status, says) => {
    const { code, stdout, stderr } = await conformance(['identify', ...args], { cwd });
    expect(stderr).toContain(says);
    expect(stdout).toBe('');
    expect(code).toBe(status);
  });
});
