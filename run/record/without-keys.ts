import type { ProbeKey } from '../../checks/http-request.ts';
import { maskerOf } from '../../contract/secret/masker.ts';
import type { DeliveryLine, EffectLine } from '../../contract/webhooks/drive/trace.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';

export type KeyRemover = (text: string) => string;

/** Masks keys in text that is about to be written: a target may well echo the key that it was sent, in its own way. */
export function keyRemover(keys: readonly ProbeKey[]): KeyRemover {
  const { mask } = maskerOf(keys.map(({ alias, secret }) => ({ secret, maskOf: () => `[key ${alias}]` })));
  return remembering(mask);
}

/** What a session must let out nowhere, from now on: everything that is said and written goes past its remover. */
export function hideKeys(
  session: { removeKeys: KeyRemover; hidden: readonly ProbeKey[] },
  keys: readonly ProbeKey[],
): KeyRemover {
  session.hidden = keys;
  session.removeKeys = keyRemover(keys);
  return session.removeKeys;
}

/** The secrets of webhooks, as keys. */
export function secretKeys(secrets: readonly string[]): readonly ProbeKey[] {
  return secrets.map((secret, at) => ({ alias: `secret ${at + 1}`, secret }));
}

/** A receiver may well answer with the secret that it was configured with; what was sent holds none. */
export function withoutSecrets<Line extends DeliveryLine | EffectLine>(line: Line, remove: KeyRemover): Line {
  const clean = (text: string | null): string | null => (text === null ? null : remove(text));
  if (line.kind === 'delivery') return { ...line, answer: clean(line.answer), failure: clean(line.failure) };
  const { found } = line;
  if (found.kind === 'known') return { ...line, found: { ...found, state: clean(found.state) } };
  return found.kind === 'unreadable' ? { ...line, found: { ...found, detail: remove(found.detail) } } : line;
}

/**
 * A sender may put its secret into a webhook by mistake. A body is withheld whole then: it could not be verified any more,
 * and what is not whole is not judged.
 */
export function withoutSecretsOf(delivery: Delivery, remove: KeyRemover): Delivery {
  const text = 'text' in delivery.body ? delivery.body.text : atob(delivery.body.base64);
  const clean = (fields: Delivery['headers']) =>
    fields.map(([name, value]): [string, string] => [name, remove(value)]);
  const { forwarded } = delivery;
  return {
    ...delivery,
    path: remove(delivery.path),
    headers: clean(delivery.headers),
    body: remove(text) === text ? delivery.body : { text: '' },
    ...(forwarded === undefined
      ? {}
      : {
          forwarded: {
            ...forwarded,
            headers: clean(forwarded.headers),
            answer: remove(forwarded.answer),
          },
        }),
  };
}

/** Answers repeat: most texts are those of the last ones. So few of them are compared with that a search by hash takes longer. */
const rememberedMax = 8;

/** Characters of a text from which on it is remembered. */
const rememberedFrom = 6;

/** Keeps the last texts, the latest first: a body that comes once pushes out no text that comes with each answer. */
function remembering(remove: KeyRemover): KeyRemover {
  const texts: string[] = [];
  const cleaned: string[] = [];
  const put = (at: number, text: string, clean: string): string => {
    for (let place = at; place > 0; place -= 1) {
      texts[place] = texts[place - 1] as string;
      cleaned[place] = cleaned[place - 1] as string;
    }
    texts[0] = text;
    cleaned[0] = clean;
    return clean;
  };
  return (text) => {
    // Too short to be worth it, and mostly counts, of which no two are alike: they would push out the others.
    if (text.length < rememberedFrom) return remove(text);
    for (let at = 0; at < texts.length; at += 1)
      if (texts[at] === text) return put(at, text, cleaned[at] as string);
    return put(Math.min(texts.length, rememberedMax - 1), text, remove(text));
  };
}
