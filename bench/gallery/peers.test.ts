import { expect, test } from 'vitest';
import { openHttpClient } from '../../checks/http-client.ts';
import { packageVersion } from './package-version.ts';
import { peers } from './peers.ts';
import { deploymentOf, makeKeys, nameOf, rule, scope } from './subject.ts';

/** nginx is a program of its own, which a machine need not have. */
const inProcess = peers.filter(({ library }) => !library.startsWith('nginx'));

test.each(inProcess.map((peer) => ({ name: nameOf(peer), peer })))(
  '$name admits its limit, then refuses, for each key separately',
  async ({ peer }) => {
    const keys = makeKeys();
    const all = [...keys.contract, keys.identification];
    const served = await peer.start({ rule, keys: new Map(all.map(({ alias, secret }) => [alias, secret])) });
    const client = openHttpClient({
      deployment: deploymentOf(peer, served.url, all.slice(0, 2)),
      keys: all,
      runId: 'test',
      userAgent: 'test',
      signal: new AbortController().signal,
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
  },
);

test('rows have names of their own, and versions that are installed', async () => {
  const names = peers.map(nameOf);
  expect(new Set(names).size).toBe(names.length);
  expect(await packageVersion('express-rate-limit')).toMatch(/^\d+\.\d+\.\d+/);
});
