import type { ProbeKey } from '../../checks/http-request.ts';
import { maskerOf } from '../../contract/secret/masker.ts';
import type { DeliveryLine } from '../../contract/webhooks/drive/trace.ts';
import type { Secrets } from '../target/take-secrets.ts';

export type KeyRemover = (text: string) => string;

/** Masks keys in text that is about to be written: a target may well echo the key that it was sent, in its own way. */
export function keyRemover(keys: readonly ProbeKey[]): KeyRemover {
  const { mask } = maskerOf(keys.map(({ alias, secret }) => ({ secret, maskOf: () => `[key ${alias}]` })));
  return remembering(mask);
}

/** The same for the secrets of webhooks. */
export function secretRemover(secrets: Secrets): KeyRemover {
  return keyRemover(secrets.map((secret, at) => ({ alias: `secret ${at + 1}`, secret })));
}

/** A receiver may well answer with the secret that it was configured with; what was sent holds none. */
export function withoutSecrets(line: DeliveryLine, remove: KeyRemover): DeliveryLine {
  return { ...line, answer: line.answer === null ? null : remove(line.answer) };
}

/** Answers repeat: most texts are those of the last second. */
const rememberedMax = 64;

function remembering(remove: KeyRemover): KeyRemover {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const cleaned = remove(text);
    if (known.size === rememberedMax) known.clear();
    known.set(text, cleaned);
    return cleaned;
  };
}
