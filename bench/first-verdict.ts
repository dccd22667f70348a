import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { toolEnvironment } from '../contract/tool-environment.ts';

/** The commands of docs/documents.md, from nothing to a verdict on a small API of Express, with their wall-clock time. */
const cli = join(import.meta.dirname, '..', 'scripts', 'conformance.js');

const app = express();
const keyGenerator = (request: express.Request): string => request.headers.authorization ?? 'nobody';
app.use(
  rateLimit({ windowMs: 60_000, limit: 120, standardHeaders: 'draft-8', legacyHeaders: false, keyGenerator }),
);
app.get('/items', (_request, response) => {
  response.json([]);
});
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const cwd = await mkdtemp(join(tmpdir(), 'first-verdict-'));

const document = ['--document', 'my-api.yaml'];
const target = ['--url', url, '--key-env', 'KEY_A,KEY_B', ...document];
const init = [
  '--url',
  url,
  '--path',
  '/items',
  '--key-env',
  'KEY_A',
  '--promise',
  'fixed',
  '--out',
  'my-api.yaml',
];
const commands = [
  ['document', 'init', ...init],
  ['document', 'check', 'my-api.yaml'],
  ['plan', ...target],
  ['run', ...target],
];
let wholeMs = 0;
for (const words of commands) {
  const beforeMs = performance.now();
  const code = await ended(words);
  const tookMs = performance.now() - beforeMs;
  wholeMs += tookMs;
  const name = words.slice(0, words[0] === 'document' ? 2 : 1).join(' ');
  process.stdout.write(`${name.padEnd(16)} ${(tookMs / 1_000).toFixed(1).padStart(6)} s  exit ${code}\n`);
  if (code !== 0) process.exitCode = 1;
}
process.stdout.write(`${'all'.padEnd(16)} ${(wholeMs / 1_000).toFixed(1).padStart(6)} s\n`);
server.closeAllConnections();
server.close();

/** The exit status of a command; what it says goes to standard error. */
function ended(words: readonly string[]): Promise<number | null> {
  const env = { ...toolEnvironment(process.env), KEY_A: 'first-usable-key', KEY_B: 'second-usable-key' };
  const child = spawn(process.execPath, [cli, ...words], { cwd, env, stdio: ['ignore', 2, 2] });
  return new Promise((resolve) => child.once('exit', resolve));
}
