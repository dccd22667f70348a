import type { Content, Expectation, Form, Signature } from './cases/words.ts';

/** How the name of the signature header is written, and what stands around its value. */
export type HeaderForm = 'documented' | 'lower-case' | 'upper-case' | 'mixed-case' | 'padded';

/** `cut-off`: half of the announced body, then the end of the connection. */
export type Framing = 'content-length' | 'chunked' | 'cut-off';

/** One request of a case, as data. */
export type Delivery = {
  /** Unique in its case. */
  readonly name: string;
  /** Deliveries of a case with the same label belong to the same message. */
  readonly message: string;
  readonly content: Content;
  readonly form: Form;
  readonly signature: Signature;
  readonly header: HeaderForm;
  readonly framing: Framing;
  readonly expects: Expectation;
};

/**
 * A valid, plain `message.received` with these changes. Its name is also the label of its message, unless another is
 * given.
 */
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

/**
 * A valid event of another message after those of a case. When its effect is seen, the effects of those before it have
 * had their time.
 */
export const later: Delivery = delivery('later');

/** A valid delivery after something unusual, to see whether the receiver still works. */
export const stillThere: Delivery = delivery('still-there');
