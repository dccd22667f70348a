import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deliveriesOf } from '../../../contract/webhooks/drive/case.ts';
import { delivery } from '../../../contract/webhooks/drive/delivery.ts';
import { driveCases } from '../../../contract/webhooks/drive/registry.ts';
import type { DeliveryLine, DriveHeader } from '../../../contract/webhooks/drive/trace.ts';
import { atATimeMax, canShare, expectedMs, paceOf, sharingSender } from './pace.ts';
import type { Sender } from './sender.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const header = { burst: { eventsPerSecond: 15, seconds: 10 }, effectsWaitMs: 2_000 } as DriveHeader;
const [first, ...others] = driveCases;
const withoutEffects = others.filter(({ needs }) => needs === 'nothing');
const clock = { nowMs: () => Date.now(), wallMs: () => Date.now() };

/** A receiver that needs so long for an answer, and works on so many at a time. */
function receiver(latencyMs: number, workers: number) {
  const freeAtMs = Array.from({ length: workers }, () => 0);
  const log: { readonly name: string; readonly message: string; readonly fromMs: number; toMs: number }[] =
    [];
  let most = 0;
  let open = 0;
  const send: Sender['send'] = async ({ name, message }, { caseId }) => {
    const fromMs = Date.now();
    open += 1;
    most = Math.max(most, open);
    const worker = freeAtMs.indexOf(Math.min(...freeAtMs));
    const toMs = Math.max(fromMs, freeAtMs[worker] ?? 0) + latencyMs;
    freeAtMs[worker] = toMs;
    await new Promise((resolve) => setTimeout(resolve, toMs - fromMs));
    open -= 1;
    log.push({ name, message, fromMs, toMs });
    return {
      index: log.length,
      case: caseId,
      name,
      sentMs: fromMs,
      receivedMs: toMs,
      status: 200,
    } as DeliveryLine;
  };
  const inTurn: Sender['inTurn'] = async (deliveries, sending) => {
    const lines: DeliveryLine[] = [];
    for (const one of deliveries) lines.push((await send(one, sending)) as DeliveryLine);
    return lines;
  };
  return {
    sender: { send, inTurn, onOneConnection: inTurn } satisfies Sender,
    log,
    most: () => most,
    freeAtMs,
  };
}

async function done<Result>(promise: Promise<Result>): Promise<Result> {
  const settled = promise.finally(() => undefined);
  await vi.advanceTimersByTimeAsync(600_000);
  return settled;
}

function pacing(latencyMs: number, workers: number, atATimeMax = 8) {
  const { sender, freeAtMs, log } = receiver(latencyMs, workers);
  const answered = { sentMs: 0, receivedMs: latencyMs } as DeliveryLine;
  const { signal } = new AbortController();
  const endMs = { at: 0 };
  const pace = paceOf({ header, cases: others, first: answered, atATimeMax, sender, clock, signal }).then(
    (found) => {
      endMs.at = Date.now();
      return found;
    },
  );
  return { pace: done(pace), freeAtMs, log, endMs };
}

test.each([
  [3_000, 64, 8],
  [3_000, 4, 4],
  [3_000, 1, 1],
  [900, 2, 2],
])('a receiver of %d ms that works on %d is asked for %d at a time', async (latencyMs, workers, atATime) => {
  const { pace, freeAtMs, endMs } = pacing(latencyMs, workers);
  expect(await pace).toMatchObject({ latencyMs, atATime });
  // What comes next waits for nothing that was sent to find this out.
  expect(Math.max(...freeAtMs)).toBeLessThanOrEqual(endMs.at);
});

test.each([
  [20, 8],
  [3_000, 1],
])('a receiver of %d ms is asked nothing more where %d may be awaited', async (latencyMs, atATimeMax) => {
  const { pace, log } = pacing(latencyMs, 64, atATimeMax);
  expect(await pace).toMatchObject({ atATime: 1 });
  expect(log).toEqual([]);
});

test.each([
  ['without effects, within a minute', withoutEffects, 60_000],
  ['with effects, a little later', others, 65_000],
] as const)('a drive of a receiver of 3 s is over %s, where it took several', (_what, cases, atMostMs) => {
  const facts = { latencyMs: 3_000, header };
  expect(expectedMs(cases, { ...facts, atATime: 1 })).toBeGreaterThan(150_000);
  // With the first event, and those that find out how many it works on.
  expect(6_000 + expectedMs(cases, { ...facts, atATime: atATimeMax })).toBeLessThanOrEqual(atMostMs);
});

test('what looks at the burst comes after it', () => {
  const alone = driveCases.filter((one) => !canShare(one)).map(({ id }) => id);
  expect(alone.slice(-2)).toEqual(['burst.answers', 'effect.under-load']);
});

test('what is expected is what sending takes', async () => {
  const { sender, log, most } = receiver(3_000, 64);
  const sharing = sharingSender(sender, 8);
  const startMs = Date.now();
  const cases = withoutEffects.filter(canShare);
  const sent = Promise.all(
    cases.map((one) => sharing.inTurn(deliveriesOf(one), { caseId: one.id, timestampSeconds: 0 })),
  );
  const lines = await done(sent);
  expect(most()).toBe(8);
  const tookMs = Math.max(...log.map(({ toMs }) => toMs)) - startMs;
  expect(Math.abs(tookMs - expectedMs(cases, { latencyMs: 3_000, atATime: 8, header }))).toBeLessThan(9_000);
  expect(lines.map((own) => own.length)).toEqual(cases.map((one) => deliveriesOf(one).length));
});

test('deliveries of one message keep their order, and go after one another', async () => {
  const { sender, log } = receiver(100, 64);
  const deliveries = ['a', 'b', 'a', 'b', 'a'].map((message, at) => delivery(`${at}`, { message }));
  const lines = await done(sharingSender(sender, 8).inTurn(deliveries, { caseId: 'x', timestampSeconds: 0 }));
  const ofA = log.filter(({ message }) => message === 'a');
  expect(ofA.map(({ name }) => name)).toEqual(['0', '2', '4']);
  expect(ofA.slice(1).every(({ fromMs }, at) => fromMs >= (ofA[at]?.toMs ?? 0))).toBe(true);
  expect(lines).toHaveLength(5);
  expect(Math.max(...log.map(({ toMs }) => toMs)) - Math.min(...log.map(({ fromMs }) => fromMs))).toBe(300);
});

test('the first case is the one that all others depend on', () => {
  expect(first?.id).toBe('valid.received');
});
