import { readdir, readFile } from 'node:fs/promises';
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
import { handOn, startFront } from '../../testing/front.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { liveKeys, liveRun } from './live-run.ts';

function serviceAt(windowSeconds: number) {
  const windowMs = windowSeconds * 1_000;
  return startService({ windowMs, limits: documentedLimits, keys: liveKeys, graceMs: 0 });
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

const isAdmittedWithA = ({ key, outcome }: Exchange): boolean => key === 'A' && outcome === 'admitted';

const patience = { timeout: 100_000, interval: 100 };
const slow = 120_000;

// Both wait for most of their time.
describe.concurrent('what changes behind an address while it is probed', () => {
  test(
    'a service that was started again and has lost its counts',
    async ({ expect, onTestFinished }: TestContext) => {
      // Nearly nothing of it is waited for: it is so long that what was counted still counts on any machine.
      const windowSeconds = 60;
      const before = await serviceAt(windowSeconds);
      onTestFinished(() => before.close());
      const after = await serviceAt(windowSeconds);
      onTestFinished(() => after.close());
      const front = await restarting(before.port, after.port);
      onTestFinished(front.close);
      const folder = await temporaryFolder();
      const enough = new AbortController();
      const run = probed(front.url, windowSeconds, { folder, signal: enough.signal });
      const again = async () => {
        const { exchanges } = await traceIn(folder);
        const down = exchanges.findLastIndex(({ failure }) => failure !== null);
        if (down === -1) return 0;
        return scopesOf(exchanges.slice(down).filter(isAdmittedWithA));
      };
      // Where a machine is so slow that the run has come to its end by itself, that has it too.
      await Promise.race([expect.poll(again, patience).toBe(3), run]);
      enough.abort();
      await run.catch((error: unknown) => expect(String(error)).toContain(interrupted));
      expect(await again()).toBe(3);

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
      const behind = await serviceAt(1);
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

/** Paths of requests, a scope each: what is refused in each of them has filled all windows. */
const scopePaths = ['/v1/status', '/v1/messages', '/v1/media'];

/** Requests that a restart breaks. */
const broken = 3;

/**
 * A service that is started again as soon as its windows are full, whatever the machine takes to get there: then it breaks a few
 * connections, and has lost its counts.
 */
function restarting(beforePort: number, afterPort: number) {
  const full = new Set<string>();
  let broke = 0;
  return startFront((incoming, answer) => {
    const path = scopePaths.find((one) => incoming.url?.startsWith(one)) ?? '';
    if (full.size < scopePaths.length)
      handOn({ port: beforePort }, { incoming, answer }, ({ statusCode }) => {
        if (statusCode === 429) full.add(path);
      });
    else if (broke < broken) {
      broke += 1;
      incoming.socket.destroy();
    } else handOn({ port: afterPort }, { incoming, answer });
  });
}

/** Hands each request on to one service, whose answers bear the names of several in turn. */
function inTurn(port: number, servers: readonly string[]) {
  let turn = 0;
  return startFront((incoming, answer) => {
    const server = servers[turn % servers.length] ?? '';
    turn += 1;
    handOn({ port }, { incoming, answer }, ({ headers }) => Object.assign(headers, { server }));
  });
}
