import type { Server } from 'node:http';
import { expect, test } from 'vitest';
import { interruptedMeanwhile } from '../../contract/webhooks/drive/trace.ts';
import { judgeDrive } from '../../judge/webhooks/drive/judge-drive.ts';
import { die } from './testing/broken/reading.ts';
import { drive } from './testing/driven.ts';
import { type Behaviour, goodBehaviour, startReceiver } from './testing/receiver.ts';

const latencyMs = 3_000;
const atATimeMax = 10;

/**
 * A good receiver that needs 3 s for each answer, and works on as many at a time as are sent. It stops listening when so
 * many further events have come. Time passes by its answers alone, so that nothing is waited for.
 * @param onGone called then.
 */
function slowReceiver(furtherMax: number, onGone = (): void => undefined) {
  const time = { ms: 0 };
  const seen = { requests: 0 };
  const together: (() => void)[] = [];
  let server: Server | null = null;
  const answerAll = (): void => {
    time.ms += latencyMs;
    for (const answer of together.splice(0)) answer();
  };
  const behaviour: Behaviour = {
    ...goodBehaviour,
    onServer: (started) => {
      server = started;
    },
    read: async (request) => {
      const body = await goodBehaviour.read(request);
      seen.requests += 1;
      const further = seen.requests - 1 - atATimeMax;
      if (further === furtherMax && server !== null) {
        die(server);
        onGone();
      }
      await new Promise<void>((resolve) => {
        together.push(resolve);
        // Those that show the pace are answered when all of them are there.
        if (further >= 0 || seen.requests === 1) answerAll();
      });
      return body;
    },
  };
  return { behaviour, seen, clock: { nowMs: () => time.ms, wallMs: () => time.ms } };
}

const driveOf = (target: string, clock: ReturnType<typeof slowReceiver>['clock']) => ({
  target,
  effects: null,
  budgetMs: 600_000,
  burst: { eventsPerSecond: 15, seconds: 10 },
  atATimeMax,
  clock,
});

test('whoever stops listening while several cases are under way is blamed for none of them', async () => {
  const { behaviour, seen, clock } = slowReceiver(5);
  const { url, close } = await startReceiver(behaviour);
  try {
    const trace = await drive(driveOf(url, clock));
    expect(trace.end).toMatchObject({
      complete: false,
      reason: expect.stringContaining('stopped listening while several cases were under way'),
    });
    expect(trace.end?.reason).toContain('--at-a-time 1');
    // Those of the pace came all, and some cases had begun.
    expect(seen.requests).toBeGreaterThanOrEqual(1 + atATimeMax + 5);
    const { cases } = judgeDrive(trace);
    expect(cases.filter(({ verdict }) => verdict.kind === 'violated')).toEqual([]);
    expect(cases.find((one) => one.case === 'valid.received')?.verdict.kind).toBe('held');
  } finally {
    close();
  }
}, 60_000);

test('nor is it where the drive is interrupted before it was seen to be gone', async () => {
  const controller = new AbortController();
  const { behaviour, clock } = slowReceiver(5, () => {
    // What was under way has broken by then.
    setImmediate(() => controller.abort());
  });
  const { url, close } = await startReceiver(behaviour);
  try {
    const trace = await drive({ ...driveOf(url, clock), signal: controller.signal });
    expect(trace.end).toMatchObject({ complete: false, reason: interruptedMeanwhile });
    expect(trace.deliveries.some(({ failure }) => failure !== null)).toBe(true);
    const { cases } = judgeDrive(trace);
    expect(cases.filter(({ verdict }) => verdict.kind === 'violated')).toEqual([]);
  } finally {
    close();
  }
}, 60_000);
