import { expect, test } from 'vitest';
import { openHttpClient } from '../../checks/http-client.ts';
import { packageVersion } from './package-version.ts';
import { inProcessPeers, peers } from './peers.ts';
import { deploymentOf, makeKeys, nameOf, scope, slugOf } from './subject.ts';

/** The others are programs of their own, which a machine need not have. */
const inProcess = inProcessPeers.map((peer) => ({ name: nameOf(peer), peer }));

test.each(inProcess)('$name admits its limit, then refuses, for each key separately', async ({ peer }) => {
  const { rule } = peer;
  const keys = makeKeys();
  const all = [...keys.contract, keys.identification];
  const served = await peer.start({ rule, keys: new Map(all.map(({ alias, secret }) => [alias, secret])) });
  const client = openHttpClient({
    deployment: deploymentOf(peer, served.url, all.slice(0, 2)),
    keys: all,
    runId: 'test',
    userAgent: 'test',
    signal: () => new AbortController().signal,
    onExchange: () => undefined,
  });
  try {
    for (const { alias } of keys.contract) {
      const request = { scope, route: 'main', key: alias, credential: 'valid' } as const;
      const answers = await client.send('test', Array(rule.limit + 2).fill(request));
      const statuses = answers.map(({ status }) => status ?? 0);
      expect(statuses.filter((status) => status >= 200 && status < 300)).toHaveLength(rule.limit);
      expect(statuses.filter((status) => status === peer.refusal)).toHaveLength(2);
    }
  } finally {
    await client.close();
    await served.close();
  }
});

test('rows have names and traces of their own, and say where their truth was read', () => {
  expect(new Set(peers.map(slugOf)).size).toBe(peers.length);
  for (const peer of peers) expect(peer.truth(peer.rule).source).not.toBe('');
});

test('the gallery has limiters of six origins, at each limit and window', () => {
  const origins = ['npm', 'PyPI', 'Go', 'Maven', 'crates.io', 'Debian'] as const;
  for (const origin of origins) {
    expect(peers.filter((peer) => peer.origin === origin).length).toBeGreaterThanOrEqual(9);
  }
  const rules = new Set(peers.map(({ rule }) => `${rule.limit} in ${rule.windowMs / 1_000}`));
  for (const limit of [30, 120, 300])
    for (const seconds of [45, 60]) expect(rules).toContain(`${limit} in ${seconds}`);
});

test('each version is read from what is pinned or installed', async () => {
  expect(await packageVersion('express-rate-limit')).toMatch(/^\d+\.\d+\.\d+/);
  const pinned = peers.filter(({ origin }) => origin !== 'Debian' && origin !== 'this project');
  for (const peer of pinned) expect(await peer.version(), nameOf(peer)).toMatch(/^\d+(\.\d+)*$/);
});
