import type { ProbeKey } from '../../checks/http-request.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { masked, masksFor } from '../../contract/secret.ts';
import type { DeliveryLine } from '../../contract/webhooks/drive/trace.ts';
import type { Secrets } from '../target/take-secrets.ts';

/** A cut-off rest shorter than this gives nothing of a key away. */
const partCharactersMin = 6;

export type KeyRemover = (text: string) => string;

/**
 * Masks keys in text that is about to be written: a target may well echo the key that it was sent. A key that is cut
 * off at the end of a text, as a bounded body is, goes too.
 */
export function keyRemover(keys: readonly ProbeKey[]): KeyRemover {
  const masks = keys.flatMap(({ alias, secret }) => masksFor(secret, () => `[key ${alias}]`));
  return (text) => {
    const cleaned = masked(text, masks);
    const parts = masks.map(({ spelling, mask }) => ({ mask, length: partLength(cleaned, spelling) }));
    const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), {
      mask: '',
      length: 0,
    });
    return longest.length === 0 ? cleaned : cleaned.slice(0, -longest.length) + longest.mask;
  };
}

/** The same for the secrets of webhooks. */
export function secretRemover(secrets: Secrets): KeyRemover {
  return keyRemover(secrets.map((secret, at) => ({ alias: `secret ${at + 1}`, secret })));
}

/** The exchange with keys masked in everything that came from the target; the rest is ours and holds none. */
export function withoutKeys(exchange: Exchange, remove: KeyRemover): Exchange {
  const clean = (text: string | null): string | null => (text === null ? null : remove(text));
  const { headers } = exchange;
  return {
    ...exchange,
    headers: {
      limit: clean(headers.limit),
      remaining: clean(headers.remaining),
      reset: clean(headers.reset),
    },
    retryAfter: clean(exchange.retryAfter),
    date: clean(exchange.date),
    contentType: clean(exchange.contentType),
    body: clean(exchange.body),
    failure: clean(exchange.failure),
  };
}

/** A receiver may well answer with the secret that it was configured with; what was sent holds none. */
export function withoutSecrets(line: DeliveryLine, remove: KeyRemover): DeliveryLine {
  return { ...line, answer: line.answer === null ? null : remove(line.answer) };
}

/** How much of a key a text ends with; 0 where that is too little to matter. */
function partLength(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length >= partCharactersMin; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
