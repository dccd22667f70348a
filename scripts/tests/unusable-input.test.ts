import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance, savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';

const cwd = await temporaryFolder();
const url = ['--url', 'http://127.0.0.1:9'];

type Row = readonly [what: string, args: readonly string[], says: string];

const rows: readonly Row[] = [
  ['a misspelt option', ['--lihgt'], 'Did you mean --light?'],
  ['a misspelt command', ['sevre'], 'There is no command "sevre"; did you mean serve?'],
  ['a misspelt command with an argument', ['judg', 'trace.ndjson'], 'did you mean judge?'],
  ['a URL without keys', url, 'keyEnv: is missing (give the names with --key-env A,B'],
  [
    'a missing variable',
    [...url, '--key-env', 'NO_SUCH_KEY'],
    'The environment variable NO_SUCH_KEY is not set',
  ],
  ['an empty variable', [...url, '--key-env', 'EMPTY'], 'The environment variable EMPTY is empty'],
  [
    'a key with a line break',
    [...url, '--key-env', 'BROKEN'],
    'The environment variable BROKEN holds no usable API key',
  ],
  ['one key twice', [...url, '--key-env', 'KEY,SAME'], 'KEY and SAME hold the same key'],
  ['keys without a URL', ['--key-env', 'KEY'], 'give its address with --url'],
  [
    'another host',
    ['--url', 'http://api.example.test', '--key-env', 'KEY'],
    'allow it: --allow-host api.example.test',
  ],
  [
    'a host with a scheme',
    [...url, '--key-env', 'KEY', '--allow-host', 'http://x'],
    '--allow-host takes a host name alone',
  ],
  ['another scheme', ['--url', 'ftp://127.0.0.1', '--key-env', 'KEY'], 'must be an http:// or https:// URL'],
  [
    'a password in an argument list',
    [...url, '--key-env', 'KEY', '--proxy', 'http://me:hidden@proxy:3128'],
    'transport.proxy: must hold no user or password: put those into the environment variable HTTPS_PROXY',
  ],
  [
    'a proxy that is no address',
    [...url, '--key-env', 'KEY', '--proxy', 'proxy'],
    'transport.proxy: must be an address like "http://proxy.example.test:3128", or "none"',
  ],
  [
    'a name without its port',
    [...url, '--key-env', 'KEY', '--resolve', 'api.example.test:127.0.0.1'],
    'transport.resolve.0: must be host:port:address',
  ],
  [
    'a version of HTTP that is none',
    [...url, '--key-env', 'KEY', '--http', '3'],
    'Allowed choices are 1.1, 2',
  ],
  ['HTTP/2 without encryption', [...url, '--key-env', 'KEY', '--http', '2'], 'give an https:// address'],
  ['an authority without a deployment', ['--ca', 'ca.pem'], '--ca is for a deployment of yours'],
  [
    'an address of the other version',
    [...url, '--key-env', 'KEY', '--ip', '6'],
    '127.0.0.1 is no IPv6 address',
  ],
  ['no number', ['--window', 'soon'], 'It must be a number of seconds'],
  ['a window of 0', ['--window', '0'], 'It must be a number of seconds above 0'],
  ['a window too short', ['--window', '0.5'], 'windowSeconds:'],
  ['no such settings file', ['--config', 'nowhere.ts'], 'nowhere.ts does not exist'],
  [
    'a settings file with a misspelt field',
    ['--config', 'misspelt.json'],
    'there is no field "baseUrl"; did you mean baseUrls?',
  ],
  ['a settings file that is no program', ['--config', 'broken.ts'], 'broken.ts cannot be loaded'],
  ['a settings file without a default export', ['--config', 'empty.ts'], 'empty.ts exports no settings'],
  ['an unknown clause', ['clauses', 'limits.standrd'], 'did you mean limits.standard?'],
  ['an unknown scenario', ['load', 'mesages-burst'], 'did you mean messages-burst?'],
  ['a command like no other', ['nope'], 'There is no command "nope". Commands:'],
  ['an unknown scenario like no other', ['load', 'nope'], 'There is no load scenario "nope". All:'],
  ['a manifest that is not there', ['collect', '/nope', '/nope2'], 'The manifest cannot be read: '],
  [
    'a log that is not there',
    ['collect', 'misspelt.json', '/nope2'],
    "A log cannot be read: ENOENT: no such file or directory, access '/nope2'. Give",
  ],
  ['a trace that is not there', ['judge', 'nowhere'], 'nowhere'],
  ['a file that is no trace', ['judge', 'misspelt.json'], 'is no trace that can be judged: line 1'],
  ['what to give instead of one', ['judge', 'misspelt.json'], 'Give the path of a trace.ndjson, or of its'],
  [
    'an unknown fault',
    ['serve', '--port', '0', '--fault', 'no-such'],
    'There is no fault "no-such": choose from',
  ],
  ['an unknown scope', ['serve', '--port', '0', '--limit', 'medai=3'], 'did you mean media?'],
  [
    'a store that is no Redis',
    ['serve', '--store', 'http://:a-usable-key@127.0.0.1'],
    'such as redis://host',
  ],
  [
    'a Redis that is not there',
    ['serve', '--store', 'unix:///nowhere/redis.sock'],
    'cannot be used: connect',
  ],
  ['something that is no k6', ['--window', '2'], 'K6_BIN is /nowhere/k6'],
];

describe('unusable input', () => {
  it.each(rows)(
    '%s: exit 2, one sentence that says what to do, no stack, nothing sent',
    async (_what, args, says) => {
      await writeFile(join(cwd, 'misspelt.json'), '{"baseUrl":["http://127.0.0.1:9"],"keyEnv":["KEY"]}');
      await writeFile(join(cwd, 'broken.ts'), 'export default {');
      await writeFile(join(cwd, 'empty.ts'), 'export const settings = {};');
      const env = {
        KEY: 'a-usable-key',
        SAME: 'a-usable-key',
        EMPTY: '',
        BROKEN: 'a\nb',
        K6_BIN: '/nowhere/k6',
      };
      const { code, stdout, stderr } = await inProcess(args, cwd, { env: { HOME: cwd, ...env } });
      expect(stderr).toContain(says);
      expect(code).toBe(2);
      expect(stdout + stderr).not.toMatch(/\n\s+at /);
      expect(await savedRuns(cwd)).toEqual([]);
    },
  );

  it('a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { code, stderr } = await conformance(['serve', '--port', port], { cwd });
    server.close();
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use: choose another`);
    expect(code).toBe(2);
  });
});
