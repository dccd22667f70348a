import { expect, test } from 'vitest';
import { clauses } from '../../contract/clauses/registry.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const cwd = await temporaryFolder();

test('conformance clauses --json writes every clause, and whom it binds', async () => {
  const { code, stdout } = await inProcess(['clauses', '--json'], cwd);
  expect(code).toBe(0);
  const all = JSON.parse(stdout);
  expect(all.filter(({ binds }: { binds: string }) => binds === 'deployment')).toEqual(
    clauses.map((clause) => ({ binds: 'deployment', ...clause })),
  );
  const ids = all.map(({ id }: { id: string }) => id);
  expect(ids).toContain('client.waits');
  expect(ids).toContain('webhook.method');
  expect(new Set(ids).size).toBe(ids.length);
});

test('conformance clauses <id> --json writes one', async () => {
  const { stdout } = await inProcess(['clauses', 'webhook.method', '--json'], cwd);
  expect(JSON.parse(stdout)).toMatchObject({ binds: 'webhooks', id: 'webhook.method', level: 'must' });
  const unknown = await inProcess(['clauses', 'webhook.metod', '--json'], cwd);
  expect([unknown.code, unknown.stdout]).toEqual([2, '']);
});
