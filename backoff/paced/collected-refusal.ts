import type { Dispatcher } from 'undici';
import { toldWaitMs } from '../pacer/refusal.ts';
import { decodedBody } from './decoded-body.ts';
import { answerHeader, type Moment, untilResetMs } from './headers.ts';
import type { PacedSettings } from './options.ts';

/** A refusal as far as it has come. */
export type CollectedRefusal = {
  readonly status: number;
  readonly headers: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];
  readonly message: string | undefined;
  readonly chunks: Buffer[];
  bytes: number;
};

/** Bytes of a 429's body, decoded or not, that are read for its retry_after_seconds; a longer one is the caller's. */
export const refusalBytesMax = 65_536;

/** How long its body is waited for, ms; after that its head alone says how long to wait. */
export const refusalBodyMsMax = 2_000;

/** How long a refusal asks to wait, ms; `null` where neither it nor the settings say so. Of chunks that are not all, pass none. */
export function askedMs(
  { headers, chunks }: Pick<CollectedRefusal, 'headers' | 'chunks'>,
  now: Moment,
  settings: PacedSettings,
): number | null {
  const header = (name: string) => answerHeader(headers, name);
  const body = decodedBody(Buffer.concat(chunks), header('content-encoding'), refusalBytesMax);
  const { name, form } = settings.retryAfterHeader;
  const saidMs = toldWaitMs(
    { body, retryAfter: header(name), date: header('date') },
    { wallMs: now.wallMs, pointer: settings.retryAfterPointer, unit: settings.retryAfterUnit, form },
  );
  const resetMs = settings.waitUntilReset ? untilResetMs(headers, settings.readHeaders, now) : null;
  if (saidMs === null && resetMs === null) return settings.refusalWaitMs;
  return Math.max(saidMs ?? 0, resetMs ?? 0);
}
