import type { DriveCase } from '../case.ts';
import { delivery } from '../delivery.ts';
import { firstCase } from './valid.ts';
import type { Signature } from './words.ts';

type Forgery = {
  readonly id: string;
  readonly title: string;
  readonly sends: string;
  readonly why: string;
  readonly failure: string;
  /** `should` where nobody without the secret could pass: what is wrong then is the form alone. */
  readonly level?: DriveCase['level'];
  /** One delivery for each. */
  readonly signatures: readonly Signature[];
};

function forgery({ id, level = 'must', title, sends, why, failure, signatures }: Forgery): DriveCase {
  // Re-serialising changes something only where the JSON is not written as a serialiser writes it.
  const form = signatures.includes('of-reserialised-body') ? 'white-space' : 'compact';
  const deliveries = signatures.map((signature) =>
    delivery(signature, { signature, form, expects: 'refused' }),
  );
  return {
    id: `forged.${id}`,
    group: 'Forgeries',
    level,
    title,
    sends,
    expects: 'it is not accepted: no 2xx, or a 2xx without an effect',
    why,
    failure,
    needs: 'nothing',
    dependsOn: [firstCase],
    actions: [{ kind: 'in-turn', deliveries }],
  };
}

/** The answers to all forgeries together: this case sends nothing of its own. */
export const refusalsCase = 'forged.answers';

/**
 * Deliveries whose signature is not the documented one. Those of a case that decides can be sent by anybody who knows the
 * receiver's address, but not its secret. The document gives no status for a refusal, so that it is judged by itself.
 */
export const forgedCases: readonly DriveCase[] = [
  forgery({
    id: 'no-signature',
    title: 'no signature',
    sends: 'A valid body without X-Service-Signature.',
    why: 'Anybody who finds the address could report messages that were never sent.',
    failure: 'the signature is verified only where there is one',
    signatures: ['absent'],
  }),
  forgery({
    id: 'empty-signature',
    title: 'an empty signature',
    sends: 'A valid body with an empty X-Service-Signature.',
    why: 'An empty text is false in many languages, and may then mean "nothing to verify".',
    failure: 'an empty header is treated like a missing one, which is accepted',
    signatures: ['empty'],
  }),
  forgery({
    id: 'wrong-secret',
    title: 'another secret',
    sends: 'A body with a signature by another secret.',
    why: 'A signature exists to detect exactly this.',
    failure: 'the form of the signature is checked, but not its value; or it is verified after the answer',
    signatures: ['by-wrong-secret'],
  }),
  forgery({
    id: 'empty-secret',
    title: 'an empty secret',
    sends: 'A body with a signature by an empty secret.',
    why: 'If the variable of a secret is not set, the secret often becomes an empty text, which everybody knows.',
    failure: 'a missing secret is used as an empty one: refuse to start without it',
    signatures: ['by-empty-secret'],
  }),
  forgery({
    id: 'flipped-bit',
    title: 'one bit of the signature flipped',
    sends: 'The correct signature with one bit flipped, in its first byte and in its last.',
    why: 'All 32 bytes must be compared.',
    failure: 'only a part of the signature is compared',
    signatures: ['first-bit-flipped', 'last-bit-flipped'],
  }),
  forgery({
    id: 'altered-body',
    title: 'an altered body',
    sends: 'A body with one byte that was changed after it was signed.',
    why: 'The signature of another body proves nothing about this one.',
    failure: 'only a part of the body is signed, such as the id, or the value is not compared at all',
    signatures: ['of-altered-body'],
  }),
  forgery({
    id: 'reserialised',
    level: 'should',
    title: 'signature of the re-serialised body',
    sends: 'A body with unusual white space, and the signature of the same JSON without it.',
    why: 'The bytes are signed, not the JSON. Verification of parsed JSON refuses valid events as soon as two serialisers differ.',
    failure: 'the body is parsed and serialised again before it is verified: keep the raw bytes',
    signatures: ['of-reserialised-body'],
  }),
  forgery({
    id: 'sha1',
    level: 'should',
    title: 'a weaker algorithm',
    sends: 'sha1= and a correct HMAC-SHA1.',
    why: 'The receiver should choose the algorithm, not the header of the sender. Only who has the secret passes.',
    failure: 'the algorithm is taken from the header',
    signatures: ['sha1'],
  }),
  forgery({
    id: 'other-prefix',
    level: 'should',
    title: 'another prefix',
    sends: 'The correct HMAC-SHA256 after sha512=.',
    why: 'The documented form is sha256=<signature>. Only who has the secret passes.',
    failure: 'the text before "=" is removed and not compared',
    signatures: ['other-prefix'],
  }),
  forgery({
    id: 'no-prefix',
    level: 'should',
    title: 'no prefix',
    sends: 'The correct HMAC-SHA256 without sha256= before it.',
    why: 'The documented form is sha256=<signature>. Only who has the secret passes.',
    failure: 'the prefix is removed if it is there, but not required',
    signatures: ['no-prefix'],
  }),
  forgery({
    id: 'truncated',
    title: 'a truncated signature',
    sends: 'sha256= with none, half, and 63 of the 64 digits.',
    why: 'If the comparison ends with the shorter text, guessing a few digits is enough.',
    failure: 'only the given digits are compared',
    signatures: ['prefix-alone', 'first-half', 'all-but-one-digit'],
  }),
  forgery({
    id: 'extended',
    level: 'should',
    title: 'a signature that is too long',
    sends: 'The correct signature with one more digit.',
    why: 'The documented form ends with the signature. Only who has the secret passes.',
    failure: 'only the beginning is compared',
    signatures: ['one-digit-more'],
  }),
  forgery({
    id: 'non-hex',
    title: 'a signature that is not hex',
    sends: '64 letters that are not hex digits, and the correct signature with two such letters at its end.',
    why: 'Hex decoders stop or throw at characters that are not hex.',
    failure: 'only the part that can be decoded is compared',
    signatures: ['non-hex', 'non-hex-end'],
  }),
  forgery({
    id: 'doubled-header',
    level: 'should',
    title: 'two signatures',
    sends: 'Two headers X-Service-Signature, a correct and a wrong one, in both orders.',
    why: 'The document shows one signature. Proxies and frameworks differ in which of two they use; only who has the secret passes.',
    failure: 'the first or the last of several headers is used, or any one that is correct',
    signatures: ['right-then-wrong', 'wrong-then-right'],
  }),
  {
    id: refusalsCase,
    group: 'Forgeries',
    level: 'should',
    title: 'refusals are answered 4xx',
    sends: 'Nothing of its own: it judges the answers to all forgeries that were sent.',
    expects: '4xx within the budget, for each that is refused; a 2xx without an effect is only named',
    why: 'The document gives no status for a refusal. A 5xx makes senders repeat what can never be accepted.',
    failure: 'an exception where a signature has an unexpected form: compare only texts of the same length',
    isThrown: true,
    needs: 'nothing',
    dependsOn: [firstCase],
    actions: [],
  },
];
