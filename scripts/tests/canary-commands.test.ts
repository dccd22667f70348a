import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { CommandIo } from '../commands/command-io.ts';
import { programOf } from '../program.ts';
import { once, savedRuns } from '../testing/command-line.ts';
import { type Echo, startEcho } from '../testing/echo.ts';
import { k6VariableBeforeAll } from '../testing/k6-for.ts';
import {
  canaries,
  expectNoCanary,
  type WatchedCommand,
  type WatchOptions,
  watched,
} from '../testing/watched.ts';

const k6For = k6VariableBeforeAll();

/** One folder for all: what one command saves is read by the next. */
const cwd = await temporaryFolder();
const covered = new Set<string>();
let echo: Echo;
let receiver: Echo;

beforeAll(async () => {
  echo = await startEcho({ secrets: canaries, admitted: 40 });
  receiver = await startEcho({ secrets: [canaries[0], canaries[2]], admitted: Number.POSITIVE_INFINITY });
});
afterAll(() => {
  echo.close();
  receiver.close();
});

type Kept = WatchOptions & {
  /** The person typed a canary into the list of processes. */
  readonly typed?: true;
};

/** Runs a command whose name is the first words; nothing of a canary may come out. */
async function kept(
  name: string,
  args: readonly string[] = [],
  { typed, ...options }: Kept = {},
): Promise<WatchedCommand> {
  covered.add(name);
  const run = await watched([...name.split(' '), ...args], { cwd, ...options });
  expectNoCanary(typed === true ? { ...run, commandLines: '' } : run);
  return run;
}

const target = () => ['--url', echo.url, '--profile', 'reference', '--key-env', 'KEY_A,KEY_B'];
const gate = ['--header-env', 'X-Gate-Key=OTHER_TOKEN'];
const slow = { timeout: 300_000 };

describe('no key comes out of', { ...slow }, () => {
  it('load, where the target echoes it to k6', async (context: TestContext) => {
    const env = k6For(context);
    const args = ['media-burst', ...target(), ...gate, '--window', '2', '--allow-partial'];
    const run = await kept('load', args, { env });
    expect(run.files).toMatch(/"driver":"k6"[^\n]*\*{9}|"driver":"k6"[^\n]*\[key/);
    expect(echo.asked.some((headers) => headers['x-gate-key'] === canaries[2])).toBe(true);
    await kept('load', ['messages-burst', ...target(), ...gate, '--bundle', 'scripts']);
  });

  it('run and checks, where the target echoes it', async () => {
    const run = await kept('run', [...target(), ...gate, '--light', '--json', '--no-history']);
    expect(run.files).toContain('[key');
    await kept('checks', [...target(), ...gate, '--light']);
  });

  it.for([
    ['in a header of its own', { header: 'X-Api-Key' }, ['--key-header', 'X-Api-Key']],
    ['in the query', { query: 'key' }, ['--key-query', 'key']],
  ] as const)(
    'run, load and document init, where the document has it %s',
    async ([, keys, flags], context) => {
      // Few requests, for each answer that repeats keys in every spelling takes k6 a tenth of a second.
      const scopes = { items: { title: 'all', limit: 8, request: { path: '/v1/status' } } };
      const document = { version: 1, title: 'x', windowSeconds: 2, errors: 'none', keys, scopes };
      // Not in the folder whose files are looked at: it names a header that looks like a secret.
      const file = join(await temporaryFolder(), 'keyed.yaml');
      await writeFile(file, JSON.stringify(document));
      const line = ['--url', echo.url, '--key-env', 'KEY_A,KEY_B', ...gate, '--document', file];
      const run = await kept('run', [...line, '--light', '--no-history']);
      expect(run.files).toContain('[key');
      const env = k6For(context);
      await kept('load', ['burst', ...line, '--window', '2', '--allow-partial'], { env });
      await kept('document init', [
        ...['--url', echo.url, '--key-env', 'KEY_A', ...flags, ...gate],
        ...['--out', `by-init-${flags.at(-1)}.yaml`, '--yes'],
      ]);
      const sent =
        'header' in keys
          ? echo.asked.map((headers) => headers['x-api-key'])
          : echo.targets.map((target) => new URL(target, echo.url).searchParams.get(keys.query));
      expect(sent).toContain(canaries[0]);
    },
  );

  it('doctor, where the target echoes it', async (context: TestContext) => {
    const env = k6For(context);
    // Its first answer repeats the first secret, however many requests other tests sent.
    const own = await startEcho({ secrets: canaries, admitted: 40 });
    context.onTestFinished(own.close);
    const asked = ['--url', own.url, ...target().slice(2), ...gate];
    const run = await kept('doctor', [...asked, '--window', '2'], { env });
    expect(run.stdout).toContain('[key A]');
    await kept('doctor', [...asked, '--no-load', '--json']);
  });

  it('identify', async () => {
    const args = [
      '--url',
      `${echo.url}/items?access_token=${encodeURIComponent(canaries[1])}`,
      '--key-env',
      'KEY_A',
    ];
    const run = await kept('identify', [...args, ...gate, '--requests', '40', '--longest', '1'], {
      typed: true,
    });
    expect(run.stderr).toContain('access_token=(withheld)');
  });

  it('what reads a saved run', async () => {
    const [first = ''] = await savedRuns(cwd);
    await kept('judge', [first, '--out', join(cwd, 'judged')]);
    await kept('report', [join(cwd, 'judged')]);
    await kept('collect', [join(first, 'trace.ndjson'), '--out', 'collected.ndjson']);
    await kept('history');
    await kept('baseline update', ['--help']);
    await kept('clauses');
    await kept('completions', ['bash']);
    await kept('document schema');
  });

  it('document init, where the target echoes it', async () => {
    const run = await kept('document init', ['--url', echo.url, '--key-env', 'KEY_A', ...gate]);
    expect(run.files).toContain('windowSeconds:');
  });

  it('what reads a document with a key in it', async () => {
    const document = `version: 1\ntitle: x\nwindowSeconds: 60\nscopes:\n  a:\n    title: a\n    limit: 9\n    request: { path: /, headers: { X-Api-Key: ${canaries[1]} } }\n`;
    // Not in the folder whose files are looked at: the person wrote it there.
    const file = join(await temporaryFolder(), 'secret.yaml');
    await writeFile(file, document);
    const run = await kept('document check', [file]);
    expect(run.stderr).toContain('scopes.a.request.headers.X-Api-Key');
    const parameter = { name: 'api_key', in: 'query', required: true, example: canaries[1] };
    const paths = { '/a': { get: { parameters: [parameter] } } };
    await writeFile(file, JSON.stringify({ openapi: '3.0.0', paths }));
    await kept('document from-openapi', [file, '--out', 'described.yaml']);
  });

  it('what only plans', async () => {
    await kept('plan', [...target(), ...gate]);
    await kept('plan', [...target(), ...gate, '--json']);
    await kept('init', ['--url', echo.url, '--key-env', 'KEY_A,KEY_B', '--out', 'first.config.ts']);
    const typedKey = ['--url', echo.url, '--key-env', 'CANARY7QM2FXW9ZLP4', '--out', 'typed.config.ts'];
    await kept('init', typedKey, { typed: true });
    // Keys in place of names.
    const capital = ['--url', echo.url, '--key-env', 'CANARY7QM2FXW9ZLP4', '--debug'];
    await kept('plan', capital, { typed: true });
    await kept('checks', capital, { typed: true });
    await kept('plan', [...target(), '--header-env', 'X-Gate-Key=CANARY7QM2FXW9ZLP4'], { typed: true });
    await kept('kubernetes', [
      'messages-burst',
      '--url',
      'http://s.n.svc',
      '--allow-host',
      's.n.svc',
      ...gate,
    ]);
    await kept('tune', ['--runs', '2', '--clients', '2', '--jobs', '5', '--limit', '3', '--window', '1']);
  });

  it('what serves', async () => {
    const stop = once('on http://', (child) => child.kill('SIGINT'));
    await kept('serve', ['--port', '0', '--key-env', 'KEY_A,KEY_B'], { onOutput: stop });
    await kept('clients', ['--port', '0', '--key-env', 'KEY_A,KEY_B', '--for', '1', '--window', '1']);
  });

  it('what sends webhooks, where the receiver echoes it', async () => {
    const to = [
      '--to',
      `${receiver.url}/hooks`,
      '--secret-env',
      'OTHER_TOKEN',
      '--header-env',
      'X-Gate-Key=KEY_A',
    ];
    const sent = await kept('webhooks send', ['read', ...to]);
    expect(sent.stdout).toContain('X-Gate-Key: (withheld)');
    await kept('webhooks send', ['read', ...to, '--json']);
    await kept('webhooks drive', [
      ...to,
      '--only',
      'valid',
      '--effects',
      receiver.url,
      '--effects-wait',
      '0.1',
      '--budget',
      '9',
    ]);
    const drive = (await savedRuns(cwd)).at(-1) ?? '';
    const replayed = await kept('webhooks replay', [drive, ...to, '--only', '0', '--json']);
    expect(JSON.parse(replayed.stdout)).toMatchObject({ index: 0, answer: expect.stringContaining('[key ') });
    expect(receiver.asked.at(-1)?.['x-gate-key']).toBe(canaries[0]);
    await kept('webhooks cases');
    await kept('webhooks schema');
    const value = `sha256=${'0'.repeat(64)}`;
    await kept('webhooks verify', [
      '--body',
      join(drive, 'trace.ndjson'),
      '--signature',
      value,
      '--secret-env',
      'OTHER_TOKEN',
    ]);
  });

  it('what receives webhooks, where the sender writes it into them', async () => {
    const leak = once('receiving webhooks at ', () => undefined);
    let isSent = false;
    const run = await kept(
      'webhooks capture',
      ['--port', '0', '--secret-env', 'OTHER_TOKEN', '--count', '2', '--json'],
      {
        onOutput: (said) => {
          leak(said);
          const url = /receiving webhooks at (http:\S+)/.exec(said.text)?.[1];
          if (url === undefined || isSent) return;
          isSent = true;
          const secret = canaries[2];
          const path = `${url}hooks?token=${encodeURIComponent(canaries[0])}&s=${encodeURIComponent(secret)}`;
          const signed = { 'x-service-signature': 'sha256=0' };
          const headers = {
            ...signed,
            'x-webhook-secret': canaries[1],
            'x-debug': secret,
            authorization: canaries[0],
          };
          request(path, { method: 'POST', headers }).end(`{"event":"${secret.replace('"', '\\"')}"}`);
          request(path, { method: 'POST', headers: { ...signed, 'x-other': btoa(secret) } }).end('{}');
        },
      },
    );
    expect(run.files).toContain('(withheld)');
  });

  it('any other command', async () => {
    const named = (command: Command, before: string): readonly string[] =>
      command.commands.flatMap((one) => {
        const name = `${before}${one.name()}`;
        return one.commands.length > 0 ? named(one, `${name} `) : [name];
      });
    // What is only listed has no subcommands.
    const listed = await programOf({} as CommandIo, ['--help']);
    const all = named(
      await programOf(
        {} as CommandIo,
        listed.commands.map((one) => one.name()),
      ),
      '',
    );
    expect(all.filter((name) => !covered.has(name))).toEqual([]);
  });
});
