import process from 'node:process';
import { expect, test } from 'vitest';
import { todaysStrategies } from '../../backoff/strategies.ts';
import { families } from '../../backoff/tuning/families.ts';
import { documentedLimits, limitIn } from '../../contract/scopes.ts';
import { k6BeforeAll } from '../../load/runner/testing/k6-before-all.ts';
import { underSteadyClock } from '../../testing/steady-clock.ts';
import { seeded } from '../seeded.ts';
import { type VerifiedStrategy, type VerifySetting, verifyLive } from './verify.ts';

const k6For = k6BeforeAll();

const setting: VerifySetting = {
  scope: 'messages',
  limits: { ...documentedLimits, messages: 10 },
  windowMs: 3_000,
  clients: 5,
  processes: 1,
  jobs: 25,
};

const gotOnce: VerifiedStrategy = {
  name: 'got',
  strategy: todaysStrategies({ isIdempotent: false }).got,
  drain: { kind: 'today', name: 'got', isIdempotent: false },
};

test(
  'the strategies that are simulated run in k6 as they are, and come to the same',
  async (test) => {
    const k6 = k6For(test);
    const mirror = families.find(({ name }) => name === 'window mirror');
    const rate = { limit: limitIn(setting.limits, 'messages'), windowMs: setting.windowMs };
    const context = { k6, env: process.env, signal: new AbortController().signal, seeded };
    const mirrored: VerifiedStrategy = {
      name: 'window mirror',
      strategy: mirror!.build({}, { rate, clients: setting.clients, processes: 1 }),
      drain: { kind: 'family', name: 'window mirror', parameters: {} },
    };
    const [ours] = await underSteadyClock(() => verifyLive([mirrored], setting, context));
    // On a machine of any speed all is done without a refusal, in two windows at least.
    expect(ours).toMatchObject({
      kind: 'verified',
      measured: { admitted: 25, limited: 0, cameEarly: false },
      limited: { simulated: { low: 0, high: 0 }, apart: 0 },
    });
    expect(ours?.kind === 'verified' && ours.makespanMs.measured).toBeGreaterThanOrEqual(6_000);

    // got sends each POST once, and is done long before such a window is over.
    const [gots] = await verifyLive([gotOnce], { ...setting, windowMs: 60_000 }, context);
    expect(gots).toMatchObject({
      kind: 'verified',
      measured: { admitted: 10, limited: 15 },
      limited: { simulated: { median: 150 }, measured: 150, apart: 0 },
    });
  },
  20 * 60_000,
);

test('what k6 cannot do is said, not thrown', async () => {
  const context = { k6: { path: '/no/such/k6' }, env: {}, signal: new AbortController().signal, seeded };
  const [result] = await verifyLive([gotOnce], setting, context);
  expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('could not be started') });
});
