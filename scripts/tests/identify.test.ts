import { createServer, type IncomingMessage } from 'node:http';
import { relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { identificationSchema } from '../../contract/identification.ts';
import { fixedWindowFirstRequest } from '../../limiters/fixed-window-first-request.ts';
import { openWindow, type RateWindow } from '../../limiters/limiter.ts';
import { slidingLog } from '../../limiters/sliding-log.ts';
import { lockKeys } from '../../run/target/key-lock.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, everythingIn, once, savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';

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
  /** The wait that each refusal announces, s. */
  readonly retryAfter?: number;
};

/** An endpoint behind a limiter, without any header of one; keeps what it was asked. Its clock is never stepped, as that of a virtual machine may be. */
async function endpoint({ window, refusal = 429, status = 200, retryAfter }: Limited) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    request.resume();
    const isAdmitted = window === null || window.decide(performance.now()).admitted;
    response.statusCode = isAdmitted ? status : refusal;
    if (!isAdmitted && retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
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
  it('asks nothing with a key that another run on this machine uses', async () => {
    const { url, asked } = await endpoint({ window: null });
    const env = { KEY: 'a-key-of-a-test', XDG_CACHE_HOME: cwd };
    const release = lockKeys({ keys: [{ alias: 'A', secret: env.KEY }], baseUrls: [url], env });
    const args = ['identify', '--url', url, '--key-env', 'KEY', '--requests', '20'];
    const { code, stderr } = await inProcess(args, cwd, { env });
    release();
    expect(stderr).toContain('is in use by another run on this machine');
    expect([code, asked]).toEqual([2, []]);
  });

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
    // On a busy machine others may explain the answers as well, each with a window of its own.
    const log = [found, ...found.tied].find(({ algorithm }) => algorithm === 'sliding-log');
    expect(log?.windowSeconds?.low).toBeLessThanOrEqual(3);
    expect(log?.windowSeconds?.high).toBeGreaterThanOrEqual(3);
    expect(code).toBe(0);
    expect(stderr).toContain('identify');
    expect(stdout + stderr).not.toContain(secret);
    expect(asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'x-api-key': 'another-key',
    });
    expect(asked[0]?.url).toBe('/items?page=1');
  });

  it('keeps its trace, from which the same is found again without sending anything', async () => {
    const { url, asked } = await endpoint({ window: openWindow(slidingLog(rate)) });
    const folder = await temporaryFolder();
    const secret = 'a-key-of-a-test';
    const first = await conformance(
      ['identify', '--url', url, ...expected, '--json', '--header-env', 'X-Api-Key=KEY'],
      { cwd: folder, env: { KEY: secret } },
    );
    const [run = ''] = await savedRuns(folder);
    expect(first.stderr).toContain(`trace   ${relative(folder, run)}/trace.ndjson`);
    expect(await everythingIn(folder)).not.toContain(secret);
    const sent = asked.length;
    const again = await inProcess(['judge', '--identify', run, '--json'], folder);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(first.stdout));
    expect(again.code).toBe(0);
    const judged = await inProcess(['judge', run], folder);
    expect(judged.stderr).toContain('which knows of no document');
    expect(judged.code).toBe(2);
    expect(asked).toHaveLength(sent);
  });

  it('says before it sends how much that is at most, and sends no more', async () => {
    const { url, asked } = await endpoint({ window: openWindow(slidingLog(rate)) });
    const args = ['identify', '--url', url, ...expected, '--limit', '24', '--requests', '30'];
    const { stderr } = await inProcess(args, cwd);
    expect(stderr).toMatch(/^target {2}GET http:.*\nplan {4}at most 30 requests in 1080 s\n/);
    expect(stderr).toContain('usually 48 to 120 requests, in 3 s to 12 s');
    expect(stderr).toContain('note: stopped after 30 requests, as many as --requests allows');
    expect(asked).toHaveLength(30);
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
    expect(stdout).toMatch(/limit {7}24 in (3 s|2\.\d+ to 3\.\d+ s)/);
    expect(code).toBe(0);
  });

  it.each([
    [900, 'The refusals announce capacity after 900 s: --longest 900 waits for it.'],
    [1, '--longest waits longer.'],
  ])(
    'says how to wait longer where refusals announce %i s and nothing comes back',
    async (retryAfter, says) => {
      const window = openWindow(fixedWindowFirstRequest({ ...rate, windowMs: 3_600_000 }));
      const { url } = await endpoint({ window, retryAfter });
      const args = ['identify', '--url', url, '--window', '1', '--longest', '2'];
      const { stderr } = await inProcess(args, cwd);
      const note = stderr.split('\n').find((line) => line.startsWith('note: nothing was admitted'));
      expect(note?.endsWith(`prolongs it. ${says}`)).toBe(true);
      expect(stderr.includes('900 s are announced, longer than this waits')).toBe(retryAfter === 900);
    },
  );

  it('says so where nothing is refused', async () => {
    const { url } = await endpoint({ window: null });
    const { code, stdout, stderr } = await inProcess(
      ['identify', '--url', url, '--requests', '40', ...expected, '--json'],
      cwd,
    );
    expect(stderr).toMatch(/refused none of \d+ requests/);
    expect(stderr).toMatch(/trace {3}runs\/.*trace\.ndjson/);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });

  it('names the status that may be a refusal, and does not go on for long', async () => {
    // So long that it does not end before a slow machine has asked.
    const window = openWindow(fixedWindowFirstRequest({ ...rate, windowMs: 3_600_000 }));
    const { url, asked } = await endpoint({ window, refusal: 503 });
    const { code, stdout, stderr } = await inProcess(['identify', '--url', url, '--window', '60'], cwd);
    expect(stderr).toMatch(/answered 2[45] requests, and then every one with 503, never with 429/);
    expect(stderr).toContain('--refused-by 503');
    expect(asked.length).toBeLessThan(150);
    expect(stdout).toBe('');
    expect(code).toBe(3);
  });

  it('says that a key may be missing where nothing is answered well', async () => {
    const { url } = await endpoint({ window: null, status: 401 });
    const { code, stderr } = await inProcess(
      ['identify', '--url', url, '--requests', '40', ...expected],
      cwd,
    );
    expect(stderr).toMatch(/answered all of \d+ requests with 401: it may need a key \(--key-env/);
    expect(code).toBe(3);
  });

  it('soon leaves an endpoint alone that refuses the key', async () => {
    const { url, asked } = await endpoint({ window: null, status: 401 });
    const args = ['identify', '--url', url, '--key-env', 'KEY', ...expected];
    const { code, stderr } = await inProcess(args, cwd, { env: { KEY: 'a-wrong-key' } });
    expect(stderr).toMatch(/answered all of \d+ requests with 401: it may need another key/);
    expect(stderr).toContain('Nothing more was sent after 401 to ');
    // 20 in a row, and what was on its way over the connections.
    expect(asked.length).toBeLessThan(20 + 64);
    expect(code).toBe(3);
  });

  it('asks on where it is told that failures are to be expected', async () => {
    const { url, asked } = await endpoint({ window: null, status: 401 });
    const args = ['identify', '--url', url, '--requests', '100', '--stop-after', '0', ...expected];
    await inProcess(args, cwd);
    expect(asked).toHaveLength(100);
  });

  it('ends at once when it is interrupted', async () => {
    const { url } = await endpoint({ window: openWindow(slidingLog(rate)) });
    const folder = await temporaryFolder();
    const { code, stdout } = await conformance(['identify', '--url', url, ...expected], {
      cwd: folder,
      onOutput: once('as many as pass', (child) => child.kill('SIGINT')),
    });
    expect(stdout).toBe('');
    expect(code).toBe(130);
    const [trace = ''] = await savedRuns(folder);
    expect(await everythingIn(trace)).toContain('"reason":"interrupted"');
  });

  it.each([
    ['nobody there', ['--url', 'http://127.0.0.1:9/x'], 3, 'connection refused'],
    ['another host', ['--url', 'http://api.example.test/x'], 2, '--allow-host api.example.test'],
    ['no address', ['--url', 'x'], 2, 'give an http:// or https:// address'],
    [
      'a secret header that is written out',
      ['--url', 'http://127.0.0.1:9/', '--header', 'X-Api-Key=canary'],
      2,
      '--header-env X-Api-Key=VARIABLE',
    ],
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
    const { code, stdout, stderr } = await inProcess(['identify', ...args], cwd);
    expect(stderr).toContain(says);
    expect(stdout).toBe('');
    expect(code).toBe(status);
  });
});
