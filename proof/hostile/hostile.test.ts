import process from 'node:process';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { k6BeforeAll } from '../../load/runner/testing/k6-before-all.ts';
import { faults } from '../../service/faults.ts';
import { skipWithout } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inTurn } from '../in-turn.ts';
import { playedScenario } from '../scenarios/testing/played-scenario.ts';
import { playFault, playHostile, type Surroundings } from './campaign.ts';
import { slowNetwork } from './networks.ts';
import { type FoundToxiproxy, findToxiproxy, startToxiproxy, type Toxiproxy } from './toxiproxy.ts';

const k6For = k6BeforeAll();

let found: FoundToxiproxy;
let toxiproxy: Toxiproxy | null = null;

beforeAll(async () => {
  found = await findToxiproxy({ env: process.env });
  if (found.kind === 'found') toxiproxy = await startToxiproxy({ path: found.path, seed: 1 });
  // Where it has to be built first.
}, 20 * 60_000);

afterAll(() => toxiproxy?.close());

async function surroundings(context: TestContext): Promise<Surroundings> {
  if (found.kind === 'missing' && found.reason.includes('no Go')) skipWithout('go', context);
  if (toxiproxy === null) throw new Error(`no Toxiproxy to test with: ${JSON.stringify(found)}`);
  const { signal } = context;
  return { toxiproxy, folder: await temporaryFolder(), load: 'none', windowSeconds: 'short', signal };
}

// Networks that are real need real time: most of it is waited for side by side.
const atOnce = 15;

/** Against hangs alone: on a busy machine each run waits for the others. */
const slow = { timeout: 300_000 };

test('through every kind of network, no must clause is called violated', slow, async (context) => {
  const around = await surroundings(context);
  const seeds = Array.from({ length: 30 }, (_, at) => at);
  const rows = await inTurn(seeds, { atOnce, play: (seed) => playHostile(seed, around) });
  expect(rows.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  // Something is decided, or the runs would prove nothing.
  expect(rows.filter(({ held }) => held.length > 0).length).toBeGreaterThan(rows.length / 2);
});

/** Those whose proof needs no window, so that no machine is too slow for it; and two that need one. */
const timeless = ['headers-renamed', 'limit-header-doubled', 'other-errors-html', 'keys-not-checked'];
const timed = ['fixed-window', 'unlimited'];

test('through 200 ms faults are caught, and blamed for nothing else', slow, async (context) => {
  const around = await surroundings(context);
  const rows = await inTurn(
    faults.filter(({ name }) => [...timeless, ...timed].includes(name)),
    { atOnce, play: (fault) => playFault({ fault, windowSeconds: 5, roundTripMsMax: 200 }, around) },
  );
  expect(rows).toHaveLength(timeless.length + timed.length);
  expect(rows.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  expect(rows.filter(({ fault, how }) => timeless.includes(fault) && how !== 'violated')).toEqual([]);
});

// k6 and these tests share a machine: one that stalls in a stream is no failure of theirs.
test('many keys are all sent where answers take longer than their streams', {
  ...slow,
  retry: 2,
}, async (context) => {
  const { toxiproxy } = await surroundings(context);
  const through = async (url: string): Promise<string> => {
    const link = await toxiproxy.link(url);
    for (const toxic of slowNetwork(1_600).toxics) await link.add(toxic);
    return link.url;
  };
  const { loads } = await playedScenario(k6For(context), 'many-keys', { choices: { keys: 30 }, through });
  expect(loads).toMatchObject([{ state: 'complete', reason: null }]);
});
