import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { deploymentSchema } from '../contract/deployment.ts';
import { documentSchema } from '../contract/document/document.ts';
import { openProber } from './probe-run.ts';

/** How often each key is asked before the run, and why that waits, where each answer says how many were counted so far, and so many more. */
async function openedWhere(others: number) {
  let count = others;
  const server = createServer((_request, response) => {
    count += 1;
    response.setHeader('Used', count).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const document = documentSchema.parse({
    ...{ version: 1, title: 'items', windowSeconds: 60, errors: 'none', keys: 'none' },
    headers: { remaining: { name: 'Used', as: 'used' } },
    scopes: { items: { title: 'items', limit: 40, request: { path: '/items' } } },
  });
  const waits: string[] = [];
  let answered = 0;
  const stop = new AbortController();
  const prober = openProber({
    deployment: deploymentSchema.parse({
      ...{ document, baseUrls: [`http://127.0.0.1:${port}`], keyEnv: ['KEY_A'], connectionsPerScope: 1 },
      requests: { items: { path: '/items' } },
    }),
    keys: [{ alias: 'A', secret: 'a-key' }],
    runId: 'run',
    userAgent: 'test',
    limits: { items: 40 },
    windowMs: 60_000,
    mode: 'full',
    onEvent: (event) => {
      if (event.kind === 'answered' && event.exchange.purpose === 'preflight') answered += 1;
      if (event.kind !== 'waiting') return;
      waits.push(event.why);
      if (event.why.startsWith('key in use')) stop.abort();
    },
    signal: stop.signal,
  });
  onTestFinished(async () => {
    await prober.close();
    server.close();
  });
  const end = await prober.preflight();
  return { end, answered, waits: waits.filter((why) => why.startsWith('key in use')) };
}

it('a key of which only our own request was used is not waited for', async () => {
  expect(await openedWhere(0)).toMatchObject({ end: { complete: true }, answered: 1, waits: [] });
});

it('one that somebody else uses is', async () => {
  const { waits } = await openedWhere(3);
  expect(waits).toEqual(['key in use (A at items): waiting one window until it is idle']);
});
