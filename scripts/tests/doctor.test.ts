import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeAuthority } from '../../testing/certificates.ts';
import { startEncryptedFront } from '../../testing/encrypted-front.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';
import { k6VariableBeforeAll } from '../testing/k6-for.ts';
import { startReference } from '../testing/reference.ts';

const k6For = k6VariableBeforeAll();

const authority = makeAuthority('authority of this test');
const certificate = authority.issue({ names: ['127.0.0.1'] });

/** The reference service behind encryption by an authority that nobody knows, and the flags that lead there. */
async function deployed() {
  const { service, env } = await startReference({ windowSeconds: 60 });
  const front = await startEncryptedFront({ certificate, before: service.port });
  onTestFinished(async () => {
    front.close();
    await service.close();
  });
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'company-ca.pem'), authority.cert);
  const url = `https://127.0.0.1:${front.port}`;
  const flags = ['--url', url, '--profile', 'reference', '--key-env', 'KEY_A,KEY_B'];
  return { front, env, cwd, flags };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

test('conformance doctor looks at everything by both ways with ten requests, and says what plan says', async (context) => {
  const { front, env, cwd, flags } = await deployed();
  const k6 = k6For(context);
  const trusting = [...flags, '--ca', 'company-ca.pem'];
  const { code, stdout } = await inProcess(['doctor', ...trusting], cwd, { env: { ...env, ...k6 } });
  expect(code, stdout).toBe(0);
  const said = oneLine(stdout);
  expect(said).toContain('HTTP/1.1, TLSv1.3, signed by "authority of this test", at 127.0.0.1 port');
  expect(said).toMatch(/ok k6 v2\.\S+ \(K6_BIN\) gets there too/);
  for (const key of ['A', 'B'])
    expect(said).toContain(`ok key ${key} taken, and idle at standard, messages, media`);
  expect(said).toContain('10 requests were sent. They took places in the windows');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('READY');
  expect(front.seen).toHaveLength(10);
  expect(front.seen.every(({ userAgent }) => userAgent.includes(' doctor/'))).toBe(true);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const plan = await inProcess(['plan', ...trusting], cwd);
  const cost = (text: string) =>
    /at most \d+ requests[\s\S]*?uploads take effect;/.exec(text)?.[0].replaceAll(/\n */g, '\n');
  expect(cost(stdout)).toBe(cost(plan.stdout));

  // A minute has not passed: the places that it took itself are seen, and are no obstacle.
  const again = await inProcess(['doctor', ...trusting, '--no-load'], cwd, { env });
  expect(oneLine(again.stdout)).toMatch(
    /note key A taken, but in use within the last window: 11\d of 120 left at standard/,
  );
  expect(again.stdout).not.toContain('k6 ');
  expect(again.code).toBe(0);
}, 180_000);

test('conformance doctor says what stands in the way, for programs too', async (context) => {
  const { env, cwd, flags } = await deployed();
  const k6 = k6For(context);
  const found = async (args: readonly string[], given: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await inProcess(['doctor', ...args, '--json'], cwd, { env: given });
    expect(stdout + stderr).not.toContain('another-key-of-a-test');
    const { isReady, findings, open } = JSON.parse(stdout);
    expect([code, isReady]).toEqual([3, false]);
    return { text: JSON.stringify(findings.filter(({ state }: { state: string }) => state === 'bad')), open };
  };
  const untrusted = await found(flags, { ...env, ...k6 });
  expect(untrusted.text).toContain('the certificate is not signed by a trusted authority; --ca FILE names');
  expect(untrusted.text).toMatch(/"about":"k6","text":"v2\S+ \(K6_BIN\) does not get there: .*x509/);
  const wrongKey = { ...env, KEY_B: 'another-key-of-a-test' };
  const refused = await found([...flags, '--ca', 'company-ca.pem', '--no-load'], wrongKey);
  expect(refused.text).toContain('answered 401: check the key in KEY_B');
  const withoutProfile = flags.filter((flag) => flag !== '--profile' && flag !== 'reference');
  const missing = await found([...withoutProfile, '--ca', 'company-ca.pem', '--no-load'], env);
  expect(missing.text).toBe('[]');
  expect(missing.open.map(({ clauses }: { clauses: readonly string[] }) => clauses.join())).toEqual([
    'limits.messages',
    'limits.media',
  ]);
}, 180_000);

test('conformance doctor waits for a service that is starting, where that is wanted', async () => {
  const cwd = await temporaryFolder();
  const late = createServer((_request, response) => response.writeHead(401).end());
  const port = await freePort();
  const starting = setTimeout(() => late.listen(port, '127.0.0.1'), 300);
  onTestFinished(() => {
    clearTimeout(starting);
    late.closeAllConnections();
    late.close();
  });
  const flags = ['--url', `http://127.0.0.1:${port}`, '--key-env', 'KEY_A', '--no-load', '--wait', '60'];
  const { stdout, stderr } = await inProcess(['doctor', ...flags], cwd, {
    env: { KEY_A: 'a-key-of-a-test' },
  });
  expect(stderr).toContain('waiting until the target answers, 60 s at most');
  expect(oneLine(stdout)).toContain('answered 401: check the key in KEY_A');
});

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('conformance doctor sends nothing to a host without consent, and no more than --max-requests', async () => {
  const { front, env, cwd, flags } = await deployed();
  const elsewhere = ['--url', 'https://api.example.test', '--key-env', 'KEY_A'];
  const { code, stderr } = await inProcess(['doctor', ...elsewhere], cwd, { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining('about ten requests would be sent there')]);
  const bounded = [...flags, '--ca', 'company-ca.pem', '--no-load', '--max-requests', '4'];
  const few = await inProcess(['doctor', ...bounded], cwd, { env });
  expect(few.code).toBe(3);
  expect(oneLine(few.stdout)).toContain('5 requests more were not sent: maxRequests is 4');
  expect(front.seen).toHaveLength(4);
});
