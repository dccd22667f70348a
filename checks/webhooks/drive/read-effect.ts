import { Agent, request } from 'undici';
import { z } from 'zod';
import type { EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import { failureText } from '../../failures.ts';

/** How long one look may take, ms. */
const lookMsMax = 2_000;
const answerBytesMax = 65_536;

/** What the effects URL answers about a message; see docs/webhooks.md. */
const effectSchema = z.looseObject({
  state: z.string().max(200).nullish(),
  handled: z.int().min(0).nullish(),
});

export type EffectsReader = {
  /** What the events of a message did; never rejects. */
  readonly look: (messageId: string) => Promise<EffectLine['found']>;
  readonly close: () => Promise<void>;
};

/** Asks `GET <effects>?message_id=<id>`. */
export function openEffects(effects: URL): EffectsReader {
  const dispatcher = new Agent({
    connections: 8,
    headersTimeout: lookMsMax,
    bodyTimeout: lookMsMax,
    connectTimeout: lookMsMax,
    maxResponseSize: answerBytesMax,
  });
  return {
    look: async (messageId) => {
      const url = new URL(effects);
      url.searchParams.set('message_id', messageId);
      try {
        const signal = AbortSignal.timeout(2 * lookMsMax);
        const { statusCode, body } = await request(url, {
          dispatcher,
          signal,
          headers: { accept: 'application/json' },
        });
        return foundIn(statusCode, await body.text());
      } catch (error) {
        return { kind: 'unreadable', detail: failureText(error) };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function foundIn(status: number, text: string): EffectLine['found'] {
  if (status === 404) return { kind: 'unknown' };
  if (status !== 200) return { kind: 'unreadable', detail: `status ${status}, neither 200 nor 404` };
  const parsed = effectSchema.safeParse(json(text));
  if (!parsed.success) {
    return { kind: 'unreadable', detail: 'no JSON object with "state" (text) and "handled" (a count)' };
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
