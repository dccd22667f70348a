/**
 * What an event contains. From `simulated` on, these are contents that the document does not promise, but a receiver
 * may get.
 */
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
  /** `message.received` with the longest text that a customer can write. */
  'long-text',
  /** `message.received` with a text that makes the whole body 1 MiB long. */
  'large',
] as const;

export type Content = (typeof contents)[number];

/** How the JSON is written: the same value for a parser, but different bytes for a signature. */
export const forms = [
  'compact',
  'white-space',
  /** Non-ASCII text as it is: umlauts, Chinese, an emoji. */
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
  /** 64 letters that are not hex digits. */
  'non-hex',
  /** The right one, but its last two characters are not hex digits. */
  'non-hex-end',
  /** Two headers, the right one first. */
  'right-then-wrong',
  'wrong-then-right',
  /** Right for a receiver that computes something else; sent to find out what it computes. */
  'upper-case',
  'base64',
  'plain-sha256',
  'sha256-of-secret-and-body',
  'timestamp-prefixed',
  'by-decoded-hex-secret',
  'by-decoded-base64-secret',
] as const;

export type Signature = (typeof signatures)[number];

/**
 * What a receiver should do.
 * - `accepted`: 2xx within the budget.
 * - `refused`: not taken for a valid event. Which status that has, the document does not say.
 * - `survived`: any answer but a 5xx, within the budget.
 * - `not-accepted`: any answer but a 2xx, or no answer.
 * - `anything`: another case judges the answer.
 */
export type Expectation = 'accepted' | 'refused' | 'survived' | 'not-accepted' | 'anything';
