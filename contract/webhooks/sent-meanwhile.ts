import type { Exchange } from '../exchange.ts';
import type { Trace } from '../trace.ts';

/** A span in which a deployment refused a key because of its rate limit, ms. */
export type LimitedSpan = { readonly fromMs: number; readonly toMs: number };

/** What was sent to the deployment while its webhooks were received. Only this shows which events were lost. */
export type SentMeanwhile = {
  /** Messages that were certainly accepted, and messages that may have been, because no answer came. */
  readonly messages: number;
  readonly messagesUncertain: number;
  readonly limitedSpans: readonly LimitedSpan[];
};

/** Refusals of one key that are further apart than this belong to two spans. */
const gapMs = 1_000;

/**
 * What a run of requests did. Each request for the scope of messages sends one message, where that request is a POST.
 */
export function sentMeanwhile({ exchanges, header }: Trace): SentMeanwhile {
  const { messages: request } = header.deployment.requests;
  const sends = exchanges.filter(
    ({ scope, route, method, credential }) =>
      request?.method === 'POST' &&
      scope === 'messages' &&
      route === 'main' &&
      method === 'POST' &&
      credential === 'valid',
  );
  return {
    messages: sends.filter(({ outcome }) => outcome === 'admitted').length,
    messagesUncertain: sends.filter(({ outcome }) => outcome === 'indeterminate').length,
    limitedSpans: limitedSpans(exchanges),
  };
}

function limitedSpans(exchanges: readonly Exchange[]): readonly LimitedSpan[] {
  const refused = exchanges.filter(({ outcome }) => outcome === 'limited');
  return [...Map.groupBy(refused, ({ scope, key }) => `${scope} ${key}`).values()].flatMap((group) => {
    const spans: { fromMs: number; toMs: number }[] = [];
    for (const { sentMs, receivedMs } of group.toSorted((a, b) => a.sentMs - b.sentMs)) {
      const last = spans.at(-1);
      const toMs = receivedMs ?? sentMs;
      if (last === undefined || sentMs - last.toMs > gapMs) spans.push({ fromMs: sentMs, toMs });
      else last.toMs = Math.max(last.toMs, toMs);
    }
    return spans;
  });
}
