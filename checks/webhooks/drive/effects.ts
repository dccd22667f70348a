import { Pool } from 'undici';
import { z } from 'zod';
import {
  type Awaited,
  messageIdOf,
  type OtherMessage,
  showsAwaited,
  showsEffect,
} from '../../../contract/webhooks/drive/case.ts';
import { later } from '../../../contract/webhooks/drive/delivery.ts';
import type { EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import { type Clock, waitUntil } from '../../clock.ts';
import { failureText } from '../../failures.ts';
import type { ReceiverWay } from './receiver-way.ts';

/** How long one look may take, ms. */
const lookMsMax = 2_000;
const answerBytesMax = 65_536;

/** What the effects URL answers about a message; see docs/webhooks.md. */
const effectSchema = z.looseObject({
  state: z.string().max(200).nullish(),
  handled: z.int().min(0).nullish(),
});

export type EffectsReader = {
  /** The effect of a message's events. Never rejects. */
  readonly look: (messageId: string) => Promise<EffectLine['found']>;
  readonly close: () => Promise<void>;
};

/** Asks `GET <effects>?message_id=<id>`. */
export function openEffects({ target, connect, onWire }: ReceiverWay): EffectsReader {
  const pool = new Pool(target.origin, {
    connections: 8,
    connect,
    headersTimeout: lookMsMax,
    bodyTimeout: lookMsMax,
    maxResponseSize: answerBytesMax,
  });
  return {
    look: async (messageId) => {
      const url = new URL(target);
      url.searchParams.set('message_id', messageId);
      try {
        const signal = AbortSignal.timeout(2 * lookMsMax);
        const asked = onWire({
          method: 'GET',
          path: `${url.pathname}${url.search}`,
          headers: { accept: 'application/json' },
        });
        const { statusCode, body } = await pool.request({ ...asked, signal });
        return foundIn(statusCode, await body.text());
      } catch (error) {
        return { kind: 'unreadable', detail: failureText(error, 'receiver') };
      }
    },
    close: () => pool.destroy(),
  };
}

function foundIn(status: number, text: string): EffectLine['found'] {
  if (status === 404) return { kind: 'unknown' };
  if (status !== 200) return { kind: 'unreadable', detail: `status ${status}, neither 200 nor 404` };
  const parsed = effectSchema.safeParse(json(text));
  if (!parsed.success) {
    return {
      kind: 'unreadable',
      detail: 'the answer is not a JSON object with "state" (text) and "handled" (a count)',
    };
  }
  return { kind: 'known', state: parsed.data.state ?? null, handled: parsed.data.handled ?? null };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Pause between two looks, ms. */
const betweenLooksMs = 100;

/** How long to wait at least after the effects were seen, in case a second effect follows, ms. */
const settleMs = 300;

/** Most looks, for any clock. */
const looksMax = 1_000;

export type AwaitOptions = {
  readonly runId: string;
  readonly caseId: string;
  /** Messages that are asked about until they show what is awaited. */
  readonly messages: readonly OtherMessage[];
  /** All messages that are asked about in the end. */
  readonly asked: readonly OtherMessage[];
  readonly awaited: Awaited;
  /** How long an effect may take. */
  readonly waitMs: number;
  readonly reader: EffectsReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onLine: (line: EffectLine) => void;
};

/**
 * Looks until every message shows the awaited effect and the later event shows one, or the wait is over. Then it waits
 * as long again, because several workers may overtake one another, and looks at every message once more.
 */
export async function awaitEffects(options: AwaitOptions): Promise<void> {
  const { caseId, clock, signal, messages, asked, awaited, waitMs } = options;
  const beganMs = clock.nowMs();
  type Open = OtherMessage & { readonly isShown: (found: EffectLine['found']) => boolean };
  let open: readonly Open[] = [
    { caseId, message: later.message, isShown: showsEffect },
    ...messages.map((message) => ({
      ...message,
      isShown: (found: EffectLine['found']) => showsAwaited(found, awaited),
    })),
  ];
  for (let looks = 0; looks < looksMax && !signal.aborted; looks += 1) {
    const found = await lookAt(open, options);
    open = open.filter(({ isShown }, at) => !isShown(found[at] ?? { kind: 'unknown' }));
    if (open.length === 0 || clock.nowMs() - beganMs >= waitMs) break;
    await waitUntil(clock.nowMs() + pauseMs(open.length), clock, signal);
  }
  const againMs = open.length === 0 ? Math.min(clock.nowMs() - beganMs, waitMs) : 0;
  await waitUntil(clock.nowMs() + Math.max(settleMs, againMs), clock, signal);
  await lookAt(asked, options);
}

/** Looks that are repeated at once; more of them wait longer, so that looking is no burst of its own. */
const looksAtOnce = 10;

function pauseMs(looks: number): number {
  return betweenLooksMs * Math.ceil(looks / looksAtOnce);
}

async function lookAt(
  asked: readonly OtherMessage[],
  { runId, caseId: asking, reader, clock, onLine }: AwaitOptions,
): Promise<readonly EffectLine['found'][]> {
  return Promise.all(
    asked.map(async ({ caseId, message }) => {
      const messageId = messageIdOf({ runId, caseId, message });
      const found = await reader.look(messageId);
      onLine({ kind: 'effect', case: asking, messageId, atMs: clock.nowMs(), found });
      return found;
    }),
  );
}
