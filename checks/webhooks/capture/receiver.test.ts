import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { bytesOf } from '../../../contract/webhooks/body.ts';
import { type Delivery, deliveryBytesMax } from '../../../contract/webhooks/trace.ts';
import { systemClock } from '../../clock.ts';
import { answerPlan } from './answer-plan.ts';
import { openReceiver, type Receiver, receiverBounds } from './receiver.ts';

let receiver: Receiver | null = null;
afterEach(() => receiver?.close());

async function receiving(parts: readonly string[] = [], slowMs = 20, bounds = receiverBounds) {
  const deliveries: Delivery[] = [];
  const waiting: (() => void)[] = [];
  receiver = await openReceiver({
    host: '127.0.0.1',
    port: 0,
    plan: answerPlan(parts),
    slowMs,
    bounds,
    forwarder: null,
    nowMs: systemClock.nowMs,
    onDelivery: (delivery) => {
      deliveries.push(delivery);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  const { url } = receiver;
  const told = async (count: number): Promise<readonly Delivery[]> => {
    while (deliveries.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    return deliveries;
  };
  return { url, told, port: Number(new URL(url).port) };
}

const post = (url: string, body: string | Buffer<ArrayBuffer>): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'X-Service-Signature': 'sha256=x' }, body });

/** Ends when the other side has closed; gives what it said before. */
async function ending(port: number, says: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  socket.on('error', () => undefined);
  socket.write(says);
  await new Promise((resolve) => socket.once('close', resolve));
  return said;
}

describe('connections that carry no delivery', () => {
  it('are dropped where too many are open, and counted', async () => {
    const { port, url, told } = await receiving([], 20, { ...receiverBounds, connectionsMax: 2 });
    const idle = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect(await ending(port, 'POST / HTTP/1.1\r\n')).toBe('');
    expect(receiver?.unheard()).toEqual({ dropped: 1, silent: 0, unreadable: 0 });
    for (const socket of idle) socket.destroy();
    // Their places are free again.
    await expect
      .poll(() =>
        post(url, '{}').then(
          ({ status }) => status,
          () => null,
        ),
      )
      .toBe(200);
    expect(await told(1)).toHaveLength(1);
  });

  it('are closed where no whole head comes in time, and counted', async () => {
    const { port, url } = await receiving([], 20, { connectionsMax: 2, headMsMax: 50 });
    const ends = [ending(port, 'POST / HTTP/1.1\r\nHost: x\r\n'), ending(port, '')];
    expect(await Promise.all(ends)).toContainEqual(expect.stringMatching(/^HTTP\/1\.1 408 /));
    expect(receiver?.unheard()).toMatchObject({ silent: 2 });
    expect((await post(url, '{}')).status).toBe(200);
  });

  it('are counted where they speak no HTTP', async () => {
    const { port } = await receiving();
    expect(await ending(port, '\x16\x03\x01\x02\x00\x01\x00')).toMatch(/^HTTP\/1\.1 400 /);
    expect(receiver?.unheard()).toEqual({ dropped: 0, silent: 0, unreadable: 1 });
  });
});

describe('a receiver that watches', () => {
  it('keeps raw bytes and header lines as they came, and withholds what lets somebody in', async () => {
    const { port, told } = await receiving();
    const socket = connect(port, '127.0.0.1');
    const head = [
      'POST /hooks?a=1 HTTP/1.1',
      'Host: x',
      'X-service-SIGNATURE: sha256=1',
      'x-service-signature: sha256=2',
      'Authorization: Bearer of-the-subscriber',
      'X-Original-Uri: /hooks?a=1&token=of-the-subscriber',
      'Content-Length: 4',
    ];
    socket.write(
      Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from([0x7b, 0xff, 0x00, 0x7d])]),
    );
    const [delivery] = await told(1);
    socket.destroy();
    expect(delivery).toMatchObject({
      method: 'POST',
      path: '/hooks?a=1',
      bodyBytes: 4,
      status: 200,
      connection: 1,
    });
    expect(delivery?.headers).toEqual([
      ['Host', 'x'],
      ['X-service-SIGNATURE', 'sha256=1'],
      ['x-service-signature', 'sha256=2'],
      ['Authorization', '(withheld)'],
      ['X-Original-Uri', '/hooks?a=1&token=(withheld)'],
      ['Content-Length', '4'],
    ]);
    expect([...bytesOf((delivery as Delivery).body)]).toEqual([0x7b, 0xff, 0x00, 0x7d]);
  });

  it('answers as planned, and says when', async () => {
    const { url, told } = await receiving(['error=1', 'limited=1', 'gone=1', 'slow=1']);
    const statuses: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      const answer = await post(url, `{"n":${at}}`);
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([500, 429, 410, 200, 200]);
    const deliveries = await told(5);
    expect(deliveries.map(({ answer }) => answer)).toEqual(['error', 'limited', 'gone', 'slow', 'ok']);
    const slow = deliveries[3] as Delivery;
    expect((slow.answeredMs ?? 0) - (slow.completeMs ?? 0)).toBeGreaterThanOrEqual(19);
  });

  it('does not answer where the plan says so, and reports that at once', async () => {
    const { url, told } = await receiving(['none=1']);
    const leaving = new AbortController();
    const answer = fetch(url, { method: 'POST', body: '{}', signal: leaving.signal }).catch(() => 'left');
    const [delivery] = await told(1);
    expect(delivery).toMatchObject({ answer: 'none', status: null, answeredMs: null, body: { text: '{}' } });
    expect(delivery?.completeMs).not.toBeNull();
    leaving.abort();
    expect(await answer).toBe('left');
  });

  it('keeps the beginning of a body that is too long, and its length', async () => {
    const { url, told } = await receiving();
    await (await post(url, Buffer.alloc(deliveryBytesMax + 5, 'a'))).arrayBuffer();
    const [delivery] = await told(1);
    expect(delivery?.bodyBytes).toBe(deliveryBytesMax + 5);
    expect(bytesOf((delivery as Delivery).body)).toHaveLength(deliveryBytesMax);
  });

  it('tells of a sender that breaks off, and of what is open when it closes', async () => {
    const { url, port, told } = await receiving(['ok=1', 'slow'], 60_000);
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"');
    await once(socket, 'connect');
    while (receiver?.arrived() !== 1) await new Promise((resolve) => setTimeout(resolve, 1));
    socket.destroy();
    expect((await told(1))[0]).toMatchObject({ completeMs: null, status: null, body: { text: '{"a"' } });
    const slow = post(url, '{}').catch(() => 'closed');
    while (receiver?.arrived() !== 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await receiver.close();
    expect((await told(2))[1]).toMatchObject({ answer: 'slow', status: null });
    expect(await slow).toBe('closed');
  });
});
