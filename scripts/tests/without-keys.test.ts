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

test('an API without keys is judged by the commands that init prints', { timeout: 120_000 }, async () => {
  const url = await servedByAddress(6_000, 30);
  const cwd = await temporaryFolder();
  const init = ['document', 'init', '--url', `${url}/items`, '--promise', 'fixed', '--window', '6', '--yes'];
  const { stdout } = await inProcess(init, cwd);
  const commands = [...stdout.matchAll(/conformance ((?:document|plan|run) .*)$/gm)].map(([, line = '']) =>
    line.split(' '),
  );
  expect(commands.map(([name]) => name)).toEqual(['document', 'plan', 'run']);
  expect(stdout).not.toContain('--key-env');
  for (const words of commands) {
    const ended = await inProcess(words, cwd);
    expect([words[0], ended.code, ended.stdout, ended.stderr]).toMatchObject([
      words[0],
      0,
      expect.any(String),
      expect.any(String),
    ]);
    if (words[0] === 'run') expect(ended.stdout).toMatch(/^CONFORMANT: \d+ of \d+ clauses held/m);
  }
});
