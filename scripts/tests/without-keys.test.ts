import type { AddressInfo } from 'node:net';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

/** An API that asks for no key and counts by address, as an app of Express is limited most often. */
async function servedByAddress(windowMs: number, limit: number): Promise<string> {
  const app = express();
  app.use(rateLimit({ windowMs, limit, standardHeaders: 'draft-6', legacyHeaders: false }));
  app.get('/items', (_request, response) => void response.json([]));
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What init prints of an API, as the words of each command. */
async function commandsFor(url: string, cwd: string): Promise<readonly (readonly string[])[]> {
  const init = ['document', 'init', '--url', `${url}/items`, '--promise', 'fixed', '--window', '6', '--yes'];
  const { stdout } = await inProcess(init, cwd);
  return [...stdout.matchAll(/npm run conformance -- ((?:document|plan|run) .*)$/gm)].map(([, line = '']) =>
    line.split(' '),
  );
}

test('an API without keys is judged by the commands that init prints', { timeout: 120_000 }, async () => {
  const cwd = await temporaryFolder();
  const commands = await commandsFor(await servedByAddress(6_000, 30), cwd);
  expect(commands.map(([name]) => name)).toEqual(['document', 'plan', 'run']);
  expect(commands.flat()).not.toContain('--key-env');
  const [check = [], plan = [], run = []] = commands;
  for (const words of [check, plan]) expect((await inProcess(words, cwd)).code).toBe(0);
  // On a busy machine a window of 6 s may leave something open.
  expect((await inProcess(run, cwd)).stdout).toMatch(/^(CONFORMANT|INCONCLUSIVE): /m);
});

test('keys that are named though the document asks for none are missed, or none', async () => {
  const cwd = await temporaryFolder();
  const [, plan = [], run = []] = await commandsFor(await servedByAddress(6_000, 30), cwd);
  const missing = await inProcess([...run, '--key-env', 'KEY_A,KEY_B'], cwd);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--key-env none sends none')]);
  const none = await inProcess(plan, cwd, { env: { CONFORMANCE_KEY_ENV: 'none' } });
  expect(none.code, none.stderr).toBe(0);
});
