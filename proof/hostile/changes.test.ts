import { readdir, readFile } from 'node:fs/promises';
import { createServer, request as requestTo } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'vitest';
import type { Exchange } from '../../contract/exchange.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { parseTrace } from '../../contract/trace.ts';
import { interrupted } from '../../contract/unreachable.ts';
import { caseOf } from '../../judge/case.ts';
import { likelyChanges } from '../../judge/likely-change.ts';
import { judgeSaved } from '../../run/judge/judge-file.ts';
import { documentAlone } from '../../run/judge/judging.ts';
import { startService } from '../../service/server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { liveKeys, liveRun } from './live-run.ts';

function serviceAt(port: number, windowSeconds: number) {
  return startService({
    windowMs: windowSeconds * 1_000,
    limits: documentedLimits,
    keys: liveKeys,
    graceMs: 0,
    port,
  });
}

/** The probes of one run by sockets. */
function probed(url: string, windowSeconds: number, { folder, signal }: Watched) {
  const deployment = { baseUrls: [url], windowSeconds, connectionsPerScope: 10 };
  return liveRun({ deployment, load: 'none', folder, signal });
}

type Watched = { readonly folder: string; readonly signal: AbortSignal };

/** The only trace in a folder, and what is in it so far. */
async function traceIn(
  folder: string,
): Promise<{ readonly path: string; readonly exchanges: readonly Exchange[] }> {
  const [run = ''] = await readdir(folder);
  const path = join(folder, run, 'trace.ndjson');
  const text = await readFile(path, 'utf8').catch(() => '');
  return { path, exchanges: text.includes('\n') ? parseTrace(text).exchanges : [] };
}

const scopesOf = (exchanges: readonly Exchange[]): number =>
  new Set(exchanges.map(({ scope }) => scope)).size;

const patience = { timeout: 100_000, interval: 100 };
const slow = 120_000;

// Both wait for most of their time.
describe.concurrent('what changes behind an address while it is probed', () => {
  test(
    'a service that was started again and has lost its counts',
    async ({ expect, onTestFinished }: TestContext) => {
      // Most of it is not waited for: it is so long that what was counted still counts on any machine.
      const windowSeconds = 16;
      const before = await serviceAt(0, windowSeconds);
      const folder = await temporaryFolder();
      const enough = new AbortController();
      const run = probed(before.url, windowSeconds, { folder, signal: enough.signal });
      const seen = async () => (await traceIn(folder)).exchanges;

      await expect
        .poll(async () => scopesOf((await seen()).filter(({ purpose }) => purpose === 'confirm')), patience)
        .toBe(3);
      await before.close();
      // A port that nothing listens on ends a run after a dozen requests, and they take a moment only.
      const between = await breaking(before.port);
      await expect
        .poll(async () => (await seen()).some(({ failure }) => failure !== null), patience)
        .toBe(true);
      await between.close();
      const after = await serviceAt(before.port, windowSeconds);
      onTestFinished(() => after.close());
      const again = async () => {
        const exchanges = await seen();
        const down = exchanges.findLastIndex(({ failure }) => failure !== null);
        return exchanges.slice(down).filter(({ key, outcome }) => key === 'A' && outcome === 'admitted');
      };
      await Promise.race([
        expect.poll(async () => scopesOf(await again()), patience).toBe(3),
        run.then(({ incomplete }) => expect.unreachable(`the run ended by itself: ${incomplete}`)),
      ]);
      enough.abort();
      await expect(run).rejects.toThrow(interrupted);

      const { report } = await judgeSaved('deployment', (await traceIn(folder)).path, documentAlone);
      expect(report.likelyChanges).toEqual([
        expect.stringMatching(/^the service seems to have restarted between .* and .*connections? broke/),
      ]);
    },
    slow,
  );

  test(
    'two versions side by side',
    async ({ expect, onTestFinished, signal }: TestContext) => {
      const behind = await serviceAt(0, 1);
      onTestFinished(() => behind.close());
      const front = await inTurn(behind.port, ['api/1.4', 'api/1.5']);
      onTestFinished(front.close);
      const { traceFile } = await probed(front.url, 1, { folder: await temporaryFolder(), signal });
      expect(likelyChanges(caseOf(parseTrace(await readFile(traceFile, 'utf8'))))).toEqual([
        `several versions seem to answer behind ${front.url}: Server is api/1.4 and api/1.5 in turn. What one of them ` +
          'counts or says, the other may not',
      ]);
    },
    slow,
  );
});

/** Breaks each connection, as a port does whose service is about to be there again. */
async function breaking(port: number) {
  const server = createTcpServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Hands each request on to one service, whose answers bear the names of several in turn. */
async function inTurn(port: number, servers: readonly string[]) {
  let turn = 0;
  const front = createServer((incoming, answer) => {
    const { method, url, headers } = incoming;
    const server = servers[turn % servers.length] ?? '';
    turn += 1;
    const asked = requestTo({ host: '127.0.0.1', port, method, path: url, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, { ...answered.headers, server });
      answered.pipe(answer);
    });
    asked.once('error', () => answer.destroy());
    incoming.pipe(asked);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => front.once('listening', resolve));
  const close = (): void => {
    front.closeAllConnections();
    front.close();
  };
  return { url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, close };
}
