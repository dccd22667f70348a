import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../contract/trace.ts';
import { readManifest } from '../../load/kubernetes/deployed.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';

const host = 'messaging.prod.svc';
const target = ['--url', `http://${host}:8080`, '--profile', 'reference'];

describe('conformance kubernetes', () => {
  it('writes a manifest to standard output, which "collect" takes back with the logs', async () => {
    const cwd = await temporaryFolder();
    const args = ['kubernetes', 'messages-burst', ...target, '--allow-host', host, '--parallelism', '2'];
    const { code, stdout, stderr } = await inProcess(args, cwd);
    expect([code, stderr]).toEqual([0, expect.stringContaining('450 requests from 2 pods')]);
    const { header, scenarios } = readManifest(stdout);
    expect(scenarios[0]?.runners).toHaveLength(2);

    await writeFile(join(cwd, 'run.yaml'), stdout);
    await writeFile(join(cwd, 'pod.log'), exchangeOf(header.clocks[1]?.id ?? '', header.runId));
    const collected = await inProcess(['collect', 'run.yaml', 'pod.log'], cwd);
    expect(collected.stderr).toMatch(
      /^incomplete: messages-burst: 1 of 450 requests were collected; none of .*-1\n$/,
    );
    const [run = ''] = await savedRuns(cwd);
    const trace = parseTrace(await readFile(join(run, 'trace.ndjson'), 'utf8'));
    expect([collected.code, trace.exchanges.length]).toEqual([0, 1]);
  });

  it.each([
    ['a pod’s own address', ['--url', 'http://127.0.0.1:8080'], 'is that pod itself'],
    ['no address', [], 'Name the service that the pods are to reach'],
    ['a host that was not allowed', target, `--allow-host ${host}`],
  ])('refuses %s', async (_what, flags, says) => {
    const cwd = await temporaryFolder();
    const { code, stdout, stderr } = await inProcess(['kubernetes', 'messages-burst', ...flags], cwd);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });
});

function exchangeOf(clock: string, runId: string): string {
  return JSON.stringify({
    kind: 'exchange',
    index: 0,
    driver: 'k6',
    clock,
    scope: 'messages',
    route: 'main',
    key: 'A',
    credential: 'valid',
    node: 0,
    purpose: 'burst',
    requestId: `${runId}-0`,
    method: 'POST',
    path: '/v1/messages',
    sentMs: 1_000,
    receivedMs: 1_001,
    wallSentMs: null,
    wallReceivedMs: null,
    status: 201,
    headers: { limit: null, remaining: null, reset: null },
    retryAfter: null,
    date: null,
    contentType: null,
    body: null,
    failure: null,
    outcome: 'admitted',
  });
}
