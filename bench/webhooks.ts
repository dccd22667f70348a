import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { systemClock } from '../checks/clock.ts';
import { answerPlan } from '../checks/webhooks/capture/answer-plan.ts';
import { openReceiver, type Receiver, receiverBounds } from '../checks/webhooks/capture/receiver.ts';
import { bytesOf } from '../contract/webhooks/body.ts';
import { isSigned } from '../contract/webhooks/signature.ts';
import type { Delivery, WebhookTraceLine } from '../contract/webhooks/trace.ts';
import { openTrace } from '../run/record/trace-writer.ts';
import { pressApi } from './api-pressure.ts';
import type { Bench, Measure } from './measure.ts';
import { startChild, type WebhookChild } from './webhooks-child.ts';

const secret = randomBytes(24).toString('hex');
const key = randomBytes(24).toString('hex');

/** How long deliveries are measured. */
const measuredMs = 20_000;

/** Events that wait at least, so that the service always has something to send. */
const waitingMin = 1_000;
const batch = 250;

/** Events of the part in which the service is killed. */
const killedEvents = 20_000;

const eventsPerSecondMin = 3_000;
const rssBytesMax = 512 * 1_048_576;

/** The service's webhooks, to a receiver that writes all of it down, while three times the API's limits are asked for. */
export const webhooksBench: Bench = {
  name: 'webhooks',
  about: `signed events to a receiver that saves them, journal on disk, the API under over-pressure, ${measuredMs / 1_000} s; the peer is the same API without webhooks under way`,
  run: async (say) => {
    const folder = await mkdtemp(join(tmpdir(), 'webhooks-bench-'));
    try {
      say('delivering');
      const delivering = await whileDelivering(folder);
      say('a subscriber that never answers');
      const dead = await withDeadSubscriber(folder);
      say('killing it in the middle');
      const killed = await killedInTheMiddle(folder);
      return [...delivering, ...dead, ...killed];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** A receiver that saves what it gets, and knows what it got. */
type Saving = {
  readonly receiver: Receiver;
  readonly ids: Set<string>;
  unsigned(): number;
  close(): Promise<void>;
};

async function saving(path: string, parts: readonly string[] = []): Promise<Saving> {
  const ids = new Set<string>();
  let unsigned = 0;
  const trace = openTrace<WebhookTraceLine>(path, { kind: 'injected', atMs: 0, messages: 0 });
  const receiver = await openReceiver({
    host: '127.0.0.1',
    port: 0,
    plan: answerPlan(parts),
    slowMs: 0,
    bounds: receiverBounds,
    forwarder: null,
    nowMs: systemClock.nowMs,
    onDelivery: (delivery) => {
      trace.write(delivery);
      if (delivery.status === null) return;
      ids.add(headerOf(delivery, 'x-service-event-id'));
      const value = headerOf(delivery, 'x-service-signature');
      if (!isSigned({ value, body: bytesOf(delivery.body), secrets: [secret] })) unsigned += 1;
    },
  });
  return {
    receiver,
    ids,
    unsigned: () => unsigned,
    close: async () => {
      await receiver.close();
      trace.close();
    },
  };
}

function headerOf({ headers }: Delivery, name: string): string {
  return headers.find(([field]) => field.toLowerCase() === name)?.[1] ?? '';
}

async function whileDelivering(folder: string): Promise<readonly Measure[]> {
  const subscriber = await saving(join(folder, 'delivered.ndjson'));
  const child = await childFor(subscriber.receiver.url, join(folder, 'delivering'));
  const quiet = pressApi(child.url, key);
  await passed(measuredMs / 2);
  const without = await quiet.stop();
  await feed(child, waitingMin);
  const cpuBefore = process.cpuUsage();
  const { cpuSeconds: serviceBefore } = await child.state();
  const before = subscriber.ids.size;
  const pressing = pressApi(child.url, key);
  const beganMs = performance.now();
  let accepted = waitingMin;
  let rssBytes = 0;
  while (performance.now() - beganMs < measuredMs) {
    const waiting = accepted - subscriber.ids.size;
    if (waiting < waitingMin) accepted += await feed(child, batch);
    else await passed(5);
    rssBytes = Math.max(rssBytes, (await child.state()).rssBytes);
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  const delivered = subscriber.ids.size - before;
  const { cpuSeconds } = await child.state();
  const capture = process.cpuUsage(cpuBefore);
  const captureSeconds = (capture.user + capture.system) / 1e6;
  const latencies = await pressing.stop();
  await until(() => subscriber.ids.size >= accepted);
  const lost = accepted - subscriber.ids.size;
  await child.kill();
  await subscriber.close();
  const perSecond = delivered / seconds;
  const cpuOf = (all: number): string => `${((all * 1e6) / delivered).toFixed(0)} µs`;
  return [
    {
      measured: 'events delivered a second',
      ours: perSecond.toFixed(0),
      bar: { text: `≥ ${eventsPerSecondMin}`, isMet: perSecond >= eventsPerSecondMin },
    },
    { measured: 'CPU of the service an event', ours: cpuOf(cpuSeconds - serviceBefore) },
    { measured: 'CPU of receiver and bench an event', ours: cpuOf(captureSeconds) },
    {
      measured: 'events a second that this CPU time allows on two cores',
      ours: ((2 * delivered) / (cpuSeconds - serviceBefore + captureSeconds)).toFixed(0),
    },
    {
      measured: `events lost, or with a signature that does not verify, of ${accepted}`,
      ours: `${lost}, ${subscriber.unsigned()}`,
      bar: { text: '0', isMet: lost === 0 && subscriber.unsigned() === 0 },
    },
    { measured: 'latency of the API, median', ours: ms(latencies, 0.5), peer: ms(without, 0.5) },
    { measured: 'latency of the API, 99 %', ours: ms(latencies, 0.99), peer: ms(without, 0.99) },
    memory('memory of the service while delivering', rssBytes),
  ];
}

/** Events are accepted until the queue is full; then they are refused, and the memory grows no more. */
async function withDeadSubscriber(folder: string): Promise<readonly Measure[]> {
  const subscriber = await saving(join(folder, 'dead.ndjson'), ['none']);
  const child = await childFor(subscriber.receiver.url, join(folder, 'dead'));
  let accepted = 0;
  for (let more = await feed(child, batch); more > 0; more = await feed(child, batch)) accepted += more;
  const { rssBytes } = await child.state();
  await child.kill();
  await subscriber.close();
  return [memory(`memory with a dead subscriber and ${accepted} events waiting`, rssBytes)];
}

async function killedInTheMiddle(folder: string): Promise<readonly Measure[]> {
  const subscriber = await saving(join(folder, 'killed.ndjson'));
  const data = join(folder, 'killed');
  const first = await childFor(subscriber.receiver.url, data);
  let accepted = 0;
  while (accepted < killedEvents) accepted += await feed(first, batch);
  await first.kill();
  const before = subscriber.ids.size;
  const second = await childFor(subscriber.receiver.url, data);
  await until(() => subscriber.ids.size >= accepted);
  const lost = accepted - subscriber.ids.size;
  await second.kill();
  await subscriber.close();
  return [
    {
      measured: `events lost by kill -9 after ${before} of ${accepted}`,
      ours: String(lost),
      bar: { text: '0', isMet: lost === 0 },
    },
  ];
}

function childFor(receiverUrl: string, dataDirectory: string): Promise<WebhookChild> {
  return startChild({ key, secret, webhookUrl: `${receiverUrl}hooks`, dataDirectory });
}

/** Messages from customers; how many were accepted. */
async function feed({ controlUrl }: WebhookChild, count: number): Promise<number> {
  let accepted = 0;
  for (let left = count; left > 0; left -= batch) {
    const answer = await fetch(`${controlUrl}/inbound`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ count: Math.min(left, batch), body: 'Grüße, 你好, 👋' }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 202) return accepted;
    accepted += Math.min(left, batch);
  }
  return accepted;
}

/** Waits until it is so, for at most 60 s. */
async function until(holds: () => boolean): Promise<void> {
  for (let polls = 0; polls < 6_000 && !holds(); polls += 1) await passed(10);
}

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function ms(latencies: readonly number[], part: number): string {
  const sorted = latencies.toSorted((left, right) => left - right);
  return `${(sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1)} ms`;
}

function memory(measured: string, rssBytes: number): Measure {
  const bar = { text: `≤ ${rssBytesMax / 1_048_576} MB`, isMet: rssBytes <= rssBytesMax };
  return { measured, ours: `${Math.round(rssBytes / 1_048_576)} MB`, bar };
}
