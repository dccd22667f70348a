import { Agent, request, fetch as undiciFetch } from 'undici';
import { expect, it, onTestFinished, vi } from 'vitest';
import { paced } from './paced.ts';
import { processClock } from './process-clock.ts';
import { serve } from './testing/answering-server.ts';

/** A paced dispatcher, and how many of its timers are set. */
function client({ windowSeconds }: { readonly windowSeconds: number }) {
  const timers = new Set<() => void>();
  const at = vi.spyOn(processClock, 'at').mockImplementation((momentMs, call) => {
    const timer = setTimeout(
      () => {
        timers.delete(cancel);
        call();
      },
      Math.ceil(momentMs - performance.now()) + 1,
    );
    const cancel = (): void => {
      timers.delete(cancel);
      clearTimeout(timer);
    };
    timers.add(cancel);
    return { cancel };
  });
  onTestFinished(() => at.mockRestore());
  const pace = paced({ scopes: { all: { limit: 2 } }, windowSeconds });
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  return { pace, agent, timers, momentsEver: () => new Set(at.mock.calls.map(([ms]) => ms)).size };
}

const outcomeOf = (
  sent: Promise<{ readonly statusCode: number; readonly body: { dump(): Promise<void> } }>,
) =>
  sent.then(
    async ({ statusCode, body }) => {
      await body.dump();
      return statusCode;
    },
    (error: unknown) => error,
  );

it('closes once all that waits is answered, and takes nothing more', async () => {
  const { url, seen } = await serve([]);
  const { pace, agent } = client({ windowSeconds: 0.3 });
  const dispatcher = pace.over(agent);
  const sent = Array.from({ length: 5 }, () => outcomeOf(request(url, { dispatcher })));
  const closed = dispatcher.close().then(() => seen.length);
  const late = [request(url, { dispatcher }), undiciFetch(url, { dispatcher })];
  await expect(late[0]).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' });
  await expect(late[1]).rejects.toMatchObject({ cause: { code: 'UND_ERR_CLOSED' } });
  // A second close waits for the same.
  await Promise.all([dispatcher.close(), closed]);
  expect(await Promise.all(sent)).toEqual([200, 200, 200, 200, 200]);
  expect(await closed).toBe(5);
  expect(pace.waiting()).toBe(0);
});

it('is destroyed at once, with all that waits and its timers', async () => {
  const { url, seen } = await serve([]);
  const { pace, agent, timers } = client({ windowSeconds: 600 });
  const dispatcher = pace.over(agent);
  const first = [1, 2].map(() => outcomeOf(request(url, { dispatcher })));
  await Promise.all(first);
  const waiting = [1, 2, 3].map(() => outcomeOf(request(url, { dispatcher })));
  while (pace.waiting() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(timers.size).toBe(1);
  await dispatcher.destroy();
  expect(await Promise.all(waiting)).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ code: 'UND_ERR_DESTROYED' })),
  );
  expect(pace.waiting()).toBe(0);
  expect(timers.size).toBe(0);
  expect(await outcomeOf(request(url, { dispatcher }))).toMatchObject({ code: 'UND_ERR_DESTROYED' });
  expect(seen).toHaveLength(2);
});

it('is destroyed with an error of the caller’s, also while it closes', async () => {
  const { url } = await serve([]);
  const { pace, agent } = client({ windowSeconds: 600 });
  const dispatcher = pace.over(agent);
  const sent = [1, 2, 3].map(() => outcomeOf(request(url, { dispatcher })));
  await Promise.all(sent.slice(0, 2));
  const closed = dispatcher.close().catch((error: unknown) => error);
  const reason = new Error('enough');
  await new Promise<void>((resolve) => dispatcher.destroy(reason, resolve));
  expect(await sent[2]).toBe(reason);
  await closed;
});

it('ends one of several dispatchers alone', async () => {
  const { url } = await serve([]);
  const { pace, agent } = client({ windowSeconds: 0.3 });
  await pace.over(new Agent()).destroy();
  expect(await outcomeOf(request(url, { dispatcher: pace.over(agent) }))).toBe(200);
});

it('fails all that waits as soon as the first of them finds its composed dispatcher destroyed', async () => {
  const { url } = await serve([]);
  const { pace, agent, timers, momentsEver } = client({ windowSeconds: 0.3 });
  const dispatcher = agent.compose(pace);
  await Promise.all([1, 2].map(() => outcomeOf(request(url, { dispatcher }))));
  const waiting = Array.from({ length: 40 }, () => outcomeOf(request(url, { dispatcher })));
  await dispatcher.destroy();
  const before = momentsEver();
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'UND_ERR_DESTROYED' });
  // Not two in each window.
  expect(momentsEver() - before).toBeLessThan(5);
  expect(timers.size).toBe(0);
});
