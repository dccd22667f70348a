import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Exchange } from '../../contract/exchange.ts';
import { openBenchRecorder } from './recorder.ts';

/** What writing so many exchanges took. */
export type WriteCost = {
  /** Heap in use after a collection, when a tenth was written, and at the end. */
  readonly firstMegabytes: number;
  readonly lastMegabytes: number;
  readonly residentMegabytes: number;
  readonly cpuSeconds: number;
};

/** So that every tenth answer is a 429, as under a little more than the limit. */
const refusedEvery = 10;

function exchangeAt(index: number): Exchange {
  const sentMs = 1_700_000_000_000 + index / 7;
  const isRefused = index % refusedEvery === 0;
  return {
    kind: 'exchange',
    driver: 'undici',
    clock: 'undici',
    scope: 'messages',
    route: 'main',
    key: 'A',
    credential: 'valid',
    purpose: 'bench',
    method: 'GET',
    path: '/v1/messages',
    index,
    node: 0,
    requestId: `bench-${index}`,
    sentMs,
    receivedMs: sentMs + 1.5,
    wallSentMs: sentMs,
    wallReceivedMs: sentMs + 1.5,
    status: isRefused ? 429 : 200,
    outcome: isRefused ? 'limited' : 'admitted',
    headers: { limit: '300', remaining: String(index % 300), reset: String(1_700_000_060 + (index >> 10)) },
    retryAfter: isRefused ? String(index % 60) : null,
    date: new Date(sentMs).toUTCString(),
    contentType: 'application/json; charset=utf-8',
    server: null,
    ...(isRefused
      ? {
          body: `{"error":{"code":"limited","message":"again in ${index % 60} s"}}`,
          bodyState: 'whole' as const,
        }
      : { body: null }),
    failure: null,
  };
}

/** Run with --expose-gc. */
function megabytesInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

const count = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
try {
  const recorder = openBenchRecorder(join(folder, 'trace.ndjson'));
  let firstMegabytes = 0;
  for (let index = 0; index < count; index += 1) {
    recorder.exchange(exchangeAt(index));
    if (index === Math.floor(count / 10)) firstMegabytes = megabytesInUse();
  }
  const lastMegabytes = megabytesInUse();
  recorder.end({ reason: null });
  const { user, system } = process.cpuUsage();
  const written: WriteCost = {
    firstMegabytes,
    lastMegabytes,
    residentMegabytes: process.resourceUsage().maxRSS / 1e3,
    cpuSeconds: (user + system) / 1e6,
  };
  console.log(JSON.stringify(written));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
