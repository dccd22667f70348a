import process from 'node:process';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { PacedOptions } from './options.ts';
import { paced } from './paced.ts';

/** What paces over a dispatch of the test's own, with one place for ten minutes, and what its callers are told. */
function over(dispatch: Dispatcher.Dispatch, options: Partial<PacedOptions> = {}) {
  const pace = paced({ scopes: { all: { limit: 1 } }, windowSeconds: 600, ...options });
  const send = pace(dispatch);
  const told: string[] = [];
  const asked = (body: unknown = null) => {
    let controller: Dispatcher.DispatchController | undefined;
    const options = { origin: 'http://a.test', path: '/', method: 'POST', body };
    send(options as Dispatcher.DispatchOptions, {
      onRequestStart(given) {
        controller = given;
      },
      onResponseEnd: () => void told.push('answered'),
      onResponseError: (_controller, error) => void told.push(error.message),
    });
    return { abort: (reason: Error) => controller?.abort(reason) };
  };
  return { pace, asked, told };
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

/** What nobody catches in this process. */
function uncaught(): unknown[] {
  const seen: unknown[] = [];
  const on = (error: unknown): void => void seen.push(error);
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', on);
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of before) process.on('unhandledRejection', listener);
  });
  return seen;
}

test('a dispatcher that throws fails the request alone: nothing was sent, and its place is free', async () => {
  const seen = uncaught();
  const dispatch = vi.fn<Dispatcher.Dispatch>(() => {
    throw new Error('no mock');
  });
  const { asked, told, pace } = over(dispatch);
  asked();
  asked();
  await turns();
  expect([told, pace.waiting(), seen]).toEqual([['no mock', 'no mock'], 0, []]);
});

test('one that throws with the request on its way may have sent it', async () => {
  const seen = uncaught();
  const dispatch = vi.fn<Dispatcher.Dispatch>((_options, handler) => {
    handler.onRequestStart?.({ abort: () => undefined } as unknown as Dispatcher.DispatchController, {});
    throw new Error('broken');
  });
  const { asked, told, pace } = over(dispatch);
  asked();
  const second = asked();
  await turns();
  expect([told, pace.waiting(), seen]).toEqual([['broken'], 1, []]);
  second.abort(new Error('enough'));
  await turns();
  expect(told).toEqual(['broken', 'enough']);
});

test('what a dispatcher throws after its answer is nobody’s but its own', async () => {
  const seen = uncaught();
  const { asked, told } = over((_options, handler) => {
    const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 200, {}, 'OK');
    handler.onResponseEnd?.(controller, {});
    throw new Error('late');
  });
  asked();
  await turns();
  expect([told, seen]).toEqual([['answered'], [new Error('late')]]);
});

/** An endless body, and whether what it is made of was closed. */
function endless(chunk: string) {
  const state = { isClosed: false };
  async function* chunks() {
    try {
      for (;;) {
        yield chunk;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { state, body: chunks() };
}

test('a body that is read while the request is aborted is closed', async () => {
  const { asked, told, pace } = over(() => true);
  const { state, body } = endless('a');
  const one = asked(body);
  await turns();
  one.abort(new Error('enough'));
  await turns();
  expect([told, state.isClosed]).toEqual([['enough'], true]);
  expect(pace.waiting()).toBe(0);
});

test('so is a stream that gives nothing, and the process goes on', async () => {
  const seen = uncaught();
  const { asked, told } = over(() => true);
  const silent = new Readable({ read: () => undefined });
  const one = asked(silent);
  await turns();
  one.abort(new Error('enough'));
  await turns();
  expect([told, silent.destroyed, seen]).toEqual([['enough'], true, []]);
});

test('a body too long to be kept is closed where its dispatcher throws', async () => {
  const { asked, told } = over(
    () => {
      throw new Error('no mock');
    },
    { replayBytesMax: 1 },
  );
  const { state, body } = endless('ab');
  asked(body);
  await turns();
  expect([told, state.isClosed]).toEqual([['no mock'], true]);
});
