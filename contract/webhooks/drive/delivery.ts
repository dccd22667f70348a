/** What an event is about; the fifth kind and beyond are what a receiver may meet although nobody promised it. */
export const contents = [
  'received',
  'sent',
  'delivered',
  'read',
  'failed',
  /** `message.received` with only `message_id`, `sender`, `type` and `body`. */
  'simulated',
  'unknown-event',
  'extra-fields',
  /** `message.received` with a type that the document does not give, and without a body. */
  'other-type',
  /** `message.received` with a text that makes the whole body 1 MiB long. */
  'large',
] as const;

export type Content = (typeof contents)[number];

/** How the JSON is written. All are the same value to a parser, and other bytes to a signature. */
export const forms = [
  'compact',
  'white-space',
  /** Text beyond ASCII as it is: umlauts, Chinese, an emoji. */
  'unescaped',
  /** The same text as `\uXXXX`, and the slash as `\/`. */
  'escaped',
] as const;

export type Form = (typeof forms)[number];

/** What the signature header holds. "Right" is `sha256=` and the lower-case hex HMAC-SHA256 by the first secret. */
export const signatures = [
  'right',
  'by-second-secret',
  'absent',
  'empty',
  'by-wrong-secret',
  'by-empty-secret',
  'first-bit-flipped',
  'last-bit-flipped',
  /** Right for a body that differs from what is sent in one byte. */
  'of-altered-body',
  /** Right for `JSON.stringify(JSON.parse(body))`. */
  'of-reserialised-body',
  /** `sha1=` and a right HMAC-SHA1. */
  'sha1',
  /** `sha512=` and the right HMAC-SHA256. */
  'other-prefix',
  'no-prefix',
  'prefix-alone',
  'first-half',
  'all-but-one-digit',
  'one-digit-more',
  /** 64 letters that are no hex digits. */
  'non-hex',
  /** Right but for its last two characters, which are no hex digits. */
  'non-hex-end',
  /** Two headers, the right one first. */
  'right-then-wrong',
  'wrong-then-right',
  /** What a receiver that computes something else would call right; sent to tell what it computes. */
  'upper-case',
  'base64',
  'plain-sha256',
  'sha256-of-secret-and-body',
  'timestamp-prefixed',
  'by-decoded-hex-secret',
  'by-decoded-base64-secret',
] as const;

export type Signature = (typeof signatures)[number];

/** How the name of the signature header is written, and what stands around its value. */
export type HeaderForm = 'documented' | 'lower-case' | 'upper-case' | 'mixed-case' | 'padded';

/** `cut-off`: half of the announced body, then the end of the connection. */
export type Framing = 'content-length' | 'chunked' | 'cut-off';

/**
 * What a receiver should do.
 * - `accepted`: 2xx within the budget.
 * - `refused`: 4xx within the budget.
 * - `survived`: any answer but a 5xx, within the budget.
 * - `not-accepted`: anything but a 2xx, or nothing.
 * - `anything`: what the answer is, is judged elsewhere.
 */
export const expectations = ['accepted', 'refused', 'survived', 'not-accepted', 'anything'] as const;

export type Expectation = (typeof expectations)[number];

/** One request of a case, as data. */
export type Delivery = {
  /** Unique in its case. */
  readonly name: string;
  /** Deliveries of a case with the same label are about the same message. */
  readonly message: string;
  readonly content: Content;
  readonly form: Form;
  readonly signature: Signature;
  readonly header: HeaderForm;
  readonly framing: Framing;
  readonly expects: Expectation;
};

/** A valid, plain `message.received` but for what is said; its name is its message's label too, where none is given. */
export function delivery(name: string, change: Partial<Omit<Delivery, 'name'>> = {}): Delivery {
  return {
    name,
    message: name,
    content: 'received',
    form: 'compact',
    signature: 'right',
    header: 'documented',
    framing: 'content-length',
    expects: 'accepted',
    ...change,
  };
}

/** A valid delivery after something odd: whether the receiver still works. */
export const stillThere: Delivery = delivery('still-there');
