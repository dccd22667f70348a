import { access, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { loadLineSchema } from '../../contract/trace-lines.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { PlannedScenario } from '../plan/planned.ts';
import type { Scenario } from '../plan/scenario.ts';
import { planScenario } from './plan-scenario.ts';
import { type RunScenarioOptions, runScenario } from './run-scenario.ts';
import { scenarios } from './scenarios.ts';
import { exchangeLine, type FakeK6, writeFakeK6 } from './testing/fake-k6.ts';

const secret = 'canary-key-of-the-run';
const folder = await temporaryFolder();

const deployment = deploymentSchema.parse({
  baseUrls: ['http://127.0.0.1:9'],
  keyEnv: ['KEY_A'],
  requests: { messages: { method: 'POST', path: '/v1/messages', body: { json: {} } } },
});

/** Three requests. */
function plannedBurst(scenario: Scenario, settings = deployment): PlannedScenario {
  const limits = { standard: 1, messages: 1, media: 1 };
  const planned = planScenario(scenario, { deployment: settings, limits, choices: {} });
  return { ...planned, requests: 3 };
}

async function optionsFor(fake: FakeK6): Promise<RunScenarioOptions> {
  return {
    k6: { path: await writeFakeK6(folder, fake) },
    planned: plannedBurst(scenarios[0]),
    deployment,
    keys: [{ alias: 'A', secret }],
    runId: 'run',
    userAgent: 'messaging-conformance/0 run/run',
    env: {
      PATH: process.env['PATH'],
      KEY_A: secret,
      OTHER: 'canary-other',
      HTTP_PROXY: 'http://127.0.0.1:1',
    },
  };
}

const whole = [exchangeLine(0), exchangeLine(1), exchangeLine(2, { status: 429, outcome: 'limited' })];
const sent = (requests: number, scriptErrors = 0) => ({ requests, scriptErrors });

const ends: readonly (FakeK6 & { name: string; reason: RegExp | null; exchanges: number })[] = [
  { name: 'k6 ends well', console: whole, summary: sent(3), ending: ['exit 0'], reason: null, exchanges: 3 },
  {
    name: 'a threshold is crossed by unexpected answers',
    console: whole,
    summary: sent(3),
    ending: ['exit 99'],
    reason: null,
    exchanges: 3,
  },
  {
    name: 'the script throws, which k6 does not mind',
    console: whole.slice(0, 1),
    summary: sent(1, 1),
    ending: [`echo 'TypeError: boom' >&2`, 'exit 99'],
    reason: /^the script threw an exception; its last lines: TypeError: boom$/,
    exchanges: 1,
  },
  {
    name: 'fewer exchanges than k6 sent requests',
    console: whole.slice(0, 2),
    summary: sent(3),
    ending: ['exit 0'],
    reason: /^k6 says it sent 3 requests, but wrote 2 exchanges$/,
    exchanges: 2,
  },
  {
    name: 'fewer requests than planned',
    console: whole.slice(0, 2),
    summary: sent(2),
    ending: ['exit 0'],
    reason: /^k6 sent 2 of 3 requests$/,
    exchanges: 2,
  },
  {
    name: 'k6 leaves arrivals out that would have sent nothing',
    console: whole,
    summary: { ...sent(3), dropped: 11 },
    ending: ['exit 99'],
    reason: null,
    exchanges: 3,
  },
  {
    name: 'k6 leaves out a request that was due',
    console: whole.slice(0, 2),
    summary: { ...sent(2), dropped: 12 },
    ending: [`echo 'Insufficient VUs' >&2`, 'exit 99'],
    reason:
      /^k6 sent 2 of 3 requests; k6 left out requests that were due: answers came too slowly for the number of its clients; its last lines: Insufficient VUs$/,
    exchanges: 2,
  },
  {
    name: 'more exchanges than planned',
    console: [...whole, exchangeLine(3)],
    summary: sent(4),
    ending: ['exit 0'],
    reason: /^k6 wrote 1 line that is no exchange of its scenario$/,
    exchanges: 3,
  },
  {
    name: 'garbage on the console',
    console: [...whole.slice(0, 2), 'not json', '{"kind":"exchange"}', exchangeLine(2)],
    summary: sent(3),
    ending: ['exit 0'],
    reason: /^k6 wrote 2 lines that are not exchanges of its scenario$/,
    exchanges: 3,
  },
  {
    name: 'no summary',
    console: whole,
    ending: ['exit 0'],
    reason: /^k6 wrote no summary of its requests$/,
    exchanges: 3,
  },
  {
    name: 'the script cannot be loaded, and its error holds the key',
    ending: [`echo "Error: header 'Bearer ${secret}' is bad" >&2`, 'exit 107'],
    reason:
      /^the script could not be loaded \(exit status 107\); its last lines: Error: header 'Bearer \*+' is bad$/,
    exchanges: 0,
  },
  {
    name: 'k6 panics',
    ending: ['for n in 1 2 3 4 5 6 7; do echo "line $n" >&2; done', 'exit 2'],
    reason: /^k6 failed \(exit status 2\); its last lines: line 3 \/ line 4 \/ line 5 \/ line 6 \/ line 7$/,
    exchanges: 0,
  },
  {
    name: 'k6 is killed',
    console: whole.slice(0, 2),
    ending: ['kill -9 $$'],
    reason: /^k6 was killed by SIGKILL \(out of memory\?\)$/,
    exchanges: 2,
  },
];

test.each(ends)('$name', async ({ reason, exchanges, ...fake }) => {
  const options = await optionsFor(fake);
  const seen: number[] = [];
  const outcome = await runScenario({ ...options, onExchange: ({ index }) => seen.push(index) });
  expect(loadLineSchema.parse(outcome.line)).toEqual(outcome.line);
  expect(outcome.line).toMatchObject({ scenario: 'messages-burst', key: 'A', scope: 'messages' });
  expect(outcome.line.state).toBe(reason === null ? 'complete' : 'incomplete');
  if (reason === null) expect(outcome.line.reason).toBeNull();
  else expect(outcome.line.reason).toMatch(reason);
  expect(outcome.line.requestsSent).toBe(fake.summary?.requests ?? null);
  expect(seen).toEqual(outcome.exchanges.map(({ index }) => index));
  expect(seen).toHaveLength(exchanges);
  expect(JSON.stringify(outcome)).not.toContain(secret);
});

test('a k6 that cannot be started is incomplete', async () => {
  const options = await optionsFor({ ending: [] });
  const outcome = await runScenario({ ...options, k6: { path: join(folder, 'no-such-k6') } });
  expect(outcome.line).toMatchObject({ state: 'incomplete', requestsSent: null });
  expect(outcome.line.reason).toMatch(/^k6 could not be started \(.*ENOENT/);
});

test('an abort ends k6 and keeps what it has written', async () => {
  const options = await optionsFor({ console: whole.slice(0, 1), ending: ['exec sleep 60'] });
  const abort = new AbortController();
  const outcome = await runScenario({ ...options, signal: abort.signal, onExchange: () => abort.abort() });
  expect(outcome.line).toMatchObject({ state: 'incomplete', reason: 'interrupted' });
  expect(outcome.exchanges).toHaveLength(1);
});

test.each([
  ['is not swallowed', 'exit 0'],
  ['ends k6 at once', 'exec sleep 600'],
])('what onExchange throws %s', async (_name, ending) => {
  const options = await optionsFor({ console: whole, summary: sent(3), ending: [ending] });
  const onExchange = (): void => {
    throw new Error('the disk is full');
  };
  await expect(runScenario({ ...options, onExchange })).rejects.toThrow('the disk is full');
});

test('no process of a scenario goes on where the exchanges of another one cannot be written', async () => {
  const pids = join(folder, 'pids');
  const options = await optionsFor({
    console: whole,
    ending: [`echo $$ >> '${pids}'`, 'exec sleep 600'],
  });
  const { setting, ...planned } = options.planned;
  let exchanges = 0;
  const outcome = runScenario({
    ...options,
    planned: { ...planned, setting: { ...setting, processes: 2 } },
    // Both have begun by then.
    onExchange: () => {
      exchanges += 1;
      if (exchanges > whole.length) throw new Error('the disk is full');
    },
  });
  await expect(outcome).rejects.toThrow('the disk is full');
  const started = (await readFile(pids, 'utf8')).trim().split('\n');
  const isRunning = (pid: string): boolean => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  };
  expect(started.filter(isRunning)).toEqual([]);
});

test('k6 gets the key by a file without a name alone, and nothing else of ours', async () => {
  const search = `grep -rls '${secret}' "$(dirname "$console")/.." > "$(dirname "$0")/named"`;
  const options = await optionsFor({ console: whole, summary: sent(3), ending: [search, 'exit 0'] });
  await runScenario(options);
  const left = (name: string) => readFile(join(dirname(options.k6.path), name), 'utf8');
  expect(await left('keys')).toBe(`${secret}\n`);
  expect(await left('arguments')).not.toContain(secret);
  expect(await left('arguments')).not.toContain('--address');
  const environment = await left('environment');
  expect(environment).not.toContain(secret);
  expect(environment).not.toMatch(/canary-other|PROXY/);
  expect(environment).toMatch(/^GOGC=100$/m);
  expect(await left('named')).toBe('');
});

test('no file is left behind', async () => {
  const options = await optionsFor({ console: whole, ending: ['exit 1'] });
  await runScenario(options);
  const given = await readFile(join(dirname(options.k6.path), 'arguments'), 'utf8');
  const [, config = ''] = /--config (\S+)/.exec(given) ?? [];
  expect(config).toContain(tmpdir());
  await expect(access(dirname(config))).rejects.toThrow('ENOENT');
});

const noisyNeighbour = scenarioNamed('noisy-neighbour');
const nodes = scenarioNamed('nodes');

function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no scenario ${name}`);
  return found;
}

const unusable: readonly (readonly [string, Partial<RunScenarioOptions>, RegExp])[] = [
  [
    'no request for the scope',
    { planned: plannedBurst(scenarios[1]) },
    /no request for media: set requests\.media/,
  ],
  [
    'a key with a line break',
    { keys: [{ alias: 'A', secret: 'a\nb' }] },
    /^key A cannot be sent in a header/,
  ],
  ['no second key', { planned: plannedBurst(noisyNeighbour) }, /^it needs 2 keys, and there is 1$/],
  ['one node alone', { planned: plannedBurst(nodes) }, /^it needs 2 base URLs or more: .* --url$/],
  [
    'no client',
    {
      planned: { ...plannedBurst(scenarios[0]), setting: { ...plannedBurst(scenarios[0]).setting, vus: 0 } },
    },
    /^vus of messages-burst is 0: it must be/,
  ],
  [
    'a request that no variable can hold',
    {
      deployment: deploymentSchema.parse({
        ...deployment,
        requests: { messages: { path: '/', body: { text: 'x'.repeat(200_000), contentType: 'text/plain' } } },
      }),
    },
    /^the requests of messages are too long/,
  ],
];

test.each(unusable)('%s is found before k6 is started', async (_name, changes, reason) => {
  const options = await optionsFor({ ending: [] });
  const { line, exchanges } = await runScenario({ ...options, ...changes });
  expect(line.state).toBe('not-run');
  expect(line.reason).toMatch(reason);
  expect(exchanges).toEqual([]);
  expect(await readdir(dirname(options.k6.path))).not.toContain('arguments');
});
