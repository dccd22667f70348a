import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTarget } from './open-target.ts';
import type { Settings } from './settle-settings.ts';

const settings: Settings = {
  kind: 'deployment',
  deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], keyEnv: ['KEY_A'] }),
  secretHeaders: [],
  waitSeconds: 0,
  origin: 'a test',
};

/** Opens it with one key of the environment, and two of a file. */
async function opened({ cache, key, file }: { cache: string; key: string; file: readonly string[] }) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'keys.txt'), file.join('\n'));
  return openTarget(settings, {
    env: { XDG_CACHE_HOME: cache, KEY_A: key },
    cwd,
    allowHosts: [],
    sent: 'a few requests',
    loadAliases: ['K1', 'K2'],
    webhooks: 'none',
    keysFile: 'keys.txt',
  });
}

test('keys of a file are kept from other runs too, one that is key A as well is not kept from its own', async () => {
  const cache = await temporaryFolder();
  const target = await opened({ cache, key: 'key-a', file: ['key-a', 'key-of-a-file'] });
  const other = { cache, key: 'key-b', file: ['key-c', 'key-of-a-file'] };
  await expect(opened(other)).rejects.toThrow('Key K2 is in use by another run on this machine');
  await target.close();
  await (await opened(other)).close();
});

test('where no key is sent, the address is kept from other runs, and no secret is there to hide', async () => {
  const document = { ...messagingDocument, keys: 'none', countedBy: 'address' };
  const deployment = deploymentSchema.parse({ baseUrls: ['http://127.0.0.1:1'], document });
  const options: Parameters<typeof openTarget>[1] = {
    ...{ env: { XDG_CACHE_HOME: await temporaryFolder() }, cwd: '.', allowHosts: [], sent: 'a few requests' },
    ...{ loadAliases: [], keysFile: null },
    webhooks: 'none',
  };
  const target = await openTarget({ ...settings, deployment }, options);
  expect(target.keys.map(({ alias, authorization }) => [alias, authorization])).toEqual([['A', null]]);
  const again = openTarget({ ...settings, deployment }, options);
  await expect(again).rejects.toThrow('http://127.0.0.1:1 is in use by another run on this machine');
  await target.close();
  await (await openTarget({ ...settings, deployment }, options)).close();
});
