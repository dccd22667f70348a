import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival, ClientHeader, ClientTraceLine } from '../../contract/clients/trace.ts';
import { type ProvingGround, startProvingGround } from '../../service/proving/proving-ground.ts';
import { openTrace } from '../record/trace-writer.ts';

export type ProveSettings = Omit<Parameters<typeof startProvingGround>[0], 'onArrival'> & {
  readonly header: ClientHeader;
  readonly traceFile: string;
  /** Ends it after so long without a request, once there was one, ms. */
  readonly idleMs: number;
  /** Ends it in any case after so long, ms. */
  readonly forMs: number;
  readonly signal: AbortSignal;
  readonly onListening: (ground: ProvingGround) => void;
  /** About once in `progressMs`, while requests come. */
  readonly onProgress: (counts: ReadonlyMap<string, ArrivalCounts>) => void;
};

/** What has come with one key so far. */
export type ArrivalCounts = { readonly admitted: number; readonly refused: number; readonly others: number };

const pollMs = 100;
const progressMs = 5_000;

/**
 * Serves until the client is done, the time is up or the signal comes; every request is in the trace as it is answered.
 * @throws {ServiceError} where the port cannot be had.
 */
export async function prove(settings: ProveSettings): Promise<void> {
  const { header, traceFile, signal, onListening, onProgress } = settings;
  const { write, close } = openTrace<ClientTraceLine>(traceFile, header);
  const counts = new Map<string, ArrivalCounts>();
  let lastMs: number | null = null;
  try {
    const ground = await startProvingGround({
      ...settings,
      onArrival: (arrival) => {
        write(arrival);
        count(counts, arrival);
        lastMs = performance.now();
      },
    });
    onListening(ground);
    const startMs = performance.now();
    let shownMs = startMs;
    let isIdle = false;
    while (!signal.aborted && !isIdle && performance.now() - startMs < settings.forMs) {
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
      const nowMs = performance.now();
      isIdle = lastMs !== null && nowMs - lastMs >= settings.idleMs;
      if (nowMs - shownMs < progressMs || lastMs === null || lastMs < shownMs) continue;
      shownMs = nowMs;
      onProgress(counts);
    }
    const endedAtMs = ground.nowMs();
    await ground.close();
    write({ kind: 'end', endedAtMs, clientIsDone: isIdle });
  } finally {
    close();
  }
}

function count(counts: Map<string, ArrivalCounts>, { key, status }: Arrival): void {
  const { admitted, refused, others } = counts.get(key) ?? { admitted: 0, refused: 0, others: 0 };
  const isAdmitted = status !== null && status >= 200 && status < 300;
  counts.set(key, {
    admitted: admitted + Number(isAdmitted),
    refused: refused + Number(status === 429),
    others: others + Number(!isAdmitted && status !== 429),
  });
}
