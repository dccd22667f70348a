/** What is kept of an answer's body, whole or not. No sockets: a pool without connections plays the answers. */
import type { Dispatcher, Pool } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bodyCharactersInFlood, bodyCharactersMax } from '../contract/outcome.ts';
import { exchangeOnce } from './answer.ts';
import { type KeptBodies, noBodies } from './answer-body.ts';
import { type Clock, systemClock } from './clock.ts';
import type { StallMeter } from './stalls.ts';

type Event = 'end' | 'reset' | 'interrupted' | Buffer;

type Played = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly kept?: KeptBodies;
  readonly clock?: Clock;
};

const noStalls: StallMeter = { stalledMs: () => 0, close: () => undefined };

const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;

/** What is kept of the body of a request whose head has come, and then these events. */
async function answered(events: readonly Event[], played: Played = {}) {
  const { status, body, bodyState, failure } = await exchanged(events, played);
  expect([status, failure]).toEqual([429, null]);
  return { body, bodyState };
}

function exchanged(
  events: readonly Event[],
  { headers = { 'content-length': '7' }, kept = noBodies(), clock = systemClock }: Played = {},
) {
  const stop = new AbortController();
  const pool = {
    dispatch(_options: unknown, handler: Dispatcher.DispatchHandler) {
      handler.onRequestStart?.(controller, {});
      handler.onResponseStart?.(controller, 429, headers);
      for (const event of events) {
        if (event === 'end') handler.onResponseEnd?.(controller, {});
        else if (event === 'reset') handler.onResponseError?.(controller, new Error('reset'));
        else if (event === 'interrupted') stop.abort();
        else handler.onResponseData?.(controller, event);
      }
      return true;
    },
  } as unknown as Pool;
  const dispatch = { path: '/', method: 'GET' } as const;
  const { signal } = stop;
  return exchangeOnce({
    pool,
    dispatch,
    clock,
    stalls: noStalls,
    timeoutMs: 60_000,
    signal,
    kept,
    volley: null,
  });
}

test('a process that is stopped between the readings of both clocks reads them again: neither has jumped', async () => {
  let trueMs = 0;
  let looks = 0;
  const wallMs = (): number => {
    looks += 1;
    // Each third look is interrupted.
    if (looks % 3 === 0) trueMs += 26;
    return 1_000 + trueMs;
  };
  const clock = { nowMs: () => trueMs, wallMs };
  for (let at = 0; at < 9; at += 1) {
    const { sentMs, wallSentMs, receivedMs, wallReceivedMs } = await exchanged([part, 'end'], { clock });
    expect([wallSentMs - sentMs, (wallReceivedMs ?? 0) - (receivedMs ?? 0)]).toEqual([1_000, 1_000]);
  }
});

const part = Buffer.from('{"a":1}');

test('a body is whole where it ended as it said it would', async () => {
  expect(await answered([part, 'end'])).toEqual({ body: '{"a":1}', bodyState: 'whole' });
  const chunked = { headers: { 'transfer-encoding': 'chunked' } };
  expect(await answered([part, 'end'], chunked)).toMatchObject({ bodyState: 'whole' });
});

test('a body that breaks off or stalls after its head is partial', async () => {
  expect(await answered([part, 'reset'])).toEqual({ body: '{"a":1}', bodyState: 'partial' });
  expect(await answered(['reset'])).toEqual({ body: '', bodyState: 'partial' });
  expect(await answered([part, 'interrupted'])).toMatchObject({ bodyState: 'partial' });
});

test('nobody can tell the end of a body without a length from its breaking off', async () => {
  expect(await answered([part, 'end'], { headers: {} })).toEqual({
    body: '{"a":1}',
    bodyState: 'until-close',
  });
});

test('a body beyond the bound is cut, and marked', async () => {
  const long = Buffer.alloc(bodyCharactersMax, 'x');
  expect(await answered([long, 'end'])).toMatchObject({ bodyState: 'whole' });
  const cut = await answered([long, Buffer.from('y'), 'end']);
  expect([cut.body.length, cut.bodyState]).toEqual([bodyCharactersMax, 'beyond-bound']);
});

test('a flood of long bodies is kept in short', async () => {
  const kept = { charactersLeft: 100_000 };
  const long = Buffer.alloc(bodyCharactersMax, 'x');
  const lengths: number[] = [];
  for (let at = 0; at < 4; at += 1) lengths.push((await answered([long, 'end'], { kept })).body.length);
  expect(lengths).toEqual([
    bodyCharactersMax,
    bodyCharactersMax,
    bodyCharactersInFlood,
    bodyCharactersInFlood,
  ]);
  expect(await answered([part, 'end'], { kept })).toMatchObject({ bodyState: 'whole' });
});

test('a character that two chunks share is one character', async () => {
  const bytes = Buffer.from('{"a":"é"}');
  const { body } = await answered([bytes.subarray(0, 7), bytes.subarray(7), 'end']);
  expect(body).toBe('{"a":"é"}');
});

/** A request that gets a connection at `leavesMs`, by virtual time, and an answer at `answeredMs`. */
async function queued({
  leavesMs,
  answeredMs,
  stalls = noStalls,
}: {
  readonly leavesMs: number;
  readonly answeredMs: number;
  readonly stalls?: StallMeter;
}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pool = {
    dispatch(_options: unknown, handler: Dispatcher.DispatchHandler) {
      setTimeout(() => handler.onRequestStart?.(controller, {}), leavesMs);
      setTimeout(() => {
        handler.onResponseStart?.(controller, 200, {});
        handler.onResponseEnd?.(controller, {});
      }, answeredMs);
      return true;
    },
  } as unknown as Pool;
  const { signal } = new AbortController();
  const dispatch = { path: '/', method: 'GET' } as const;
  const over = exchangeOnce({
    pool,
    dispatch,
    clock: systemClock,
    stalls,
    timeoutMs: 1_000,
    signal,
    kept: noBodies(),
    volley: null,
  });
  await vi.runAllTimersAsync();
  const { status, failure } = await over;
  return { status, failure };
}

test('a request is given up by the time since it left, however long others held up its connection', async () => {
  expect(await queued({ leavesMs: 2_500, answeredMs: 3_400 })).toEqual({ status: 200, failure: null });
  const tooLate = { status: null, failure: 'no answer within 1 s' };
  expect(await queued({ leavesMs: 2_500, answeredMs: 3_600 })).toEqual(tooLate);
  // Against a target that answers nobody, the wait for a connection has a bound as well.
  expect(await queued({ leavesMs: 60_000, answeredMs: 60_100 })).toEqual({
    status: null,
    failure: 'no connection was free within 3 s',
  });
});

test('a request is not given up for what this process itself was stalled', async () => {
  // Stalled for 700 ms of the second that it waits, as its meter says once that is over.
  let looks = 0;
  const stalls: StallMeter = { stalledMs: () => (looks++ < 2 ? 0 : 700), close: () => undefined };
  expect(await queued({ leavesMs: 0, answeredMs: 1_600, stalls })).toEqual({ status: 200, failure: null });
});
