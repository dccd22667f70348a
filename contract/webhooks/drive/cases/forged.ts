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
  /** One delivery for each. */
  readonly signatures: readonly Signature[];
};

function forgery({ id, title, sends, why, failure, signatures }: Forgery): DriveCase {
  // Re-serialising changes something only where the JSON is not written as a serialiser writes it.
  const form = signatures.includes('of-reserialised-body') ? 'white-space' : 'compact';
  const deliveries = signatures.map((signature) =>
    delivery(signature, { signature, form, expects: 'refused' }),
  );
  return {
    id: `forged.${id}`,
    group: 'Forgeries',
    level: 'must',
    title,
    sends,
    expects: '4xx within the budget',
    why,
    failure,
    needs: 'nothing',
    dependsOn: [firstCase],
    actions: [{ kind: 'in-turn', deliveries }],
  };
}

/** Deliveries that anybody can send who knows the receiver's address, but not its secret. */
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
    title: 'signature of the re-serialised body',
    sends: 'A body with unusual white space, and the signature of the same JSON without it.',
    why: 'The bytes are signed, not the JSON. Verification of parsed JSON fails as soon as two serialisers differ.',
    failure: 'the body is parsed and serialised again before it is verified: keep the raw bytes',
    signatures: ['of-reserialised-body'],
  }),
  forgery({
    id: 'sha1',
    title: 'a weaker algorithm',
    sends: 'sha1= and a correct HMAC-SHA1.',
    why: 'The receiver must choose the algorithm, not the header of the sender.',
    failure: 'the algorithm is taken from the header',
    signatures: ['sha1'],
  }),
  forgery({
    id: 'other-prefix',
    title: 'another prefix',
    sends: 'The correct HMAC-SHA256 after sha512=.',
    why: 'The documented form is sha256=<signature>. A value after another prefix is something else.',
    failure: 'the text before "=" is removed and not compared',
    signatures: ['other-prefix'],
  }),
  forgery({
    id: 'no-prefix',
    title: 'no prefix',
    sends: 'The correct HMAC-SHA256 without sha256= before it.',
    why: 'The documented form is sha256=<signature>.',
    failure: 'the prefix is removed if it is there, but not required',
    signatures: ['no-prefix'],
  }),
  forgery({
    id: 'truncated',
    title: 'a truncated signature',
    sends: 'sha256= with none, half, and 63 of the 64 digits.',
    why: 'If the comparison ends with the shorter text, guessing a few digits is enough.',
    failure:
      'only the given digits are compared (a 2xx), or the comparison throws for texts of different length (a 5xx)',
    signatures: ['prefix-alone', 'first-half', 'all-but-one-digit'],
  }),
  forgery({
    id: 'extended',
    title: 'a signature that is too long',
    sends: 'The correct signature with one more digit.',
    why: 'The documented form ends with the signature.',
    failure:
      'only the beginning is compared (a 2xx), or the comparison throws for texts of different length (a 5xx)',
    signatures: ['one-digit-more'],
  }),
  forgery({
    id: 'non-hex',
    title: 'a signature that is not hex',
    sends: '64 letters that are not hex digits, and the correct signature with two such letters at its end.',
    why: 'Hex decoders stop or throw at characters that are not hex.',
    failure: 'only the decoded part is compared, or the comparison throws because its length differs (a 5xx)',
    signatures: ['non-hex', 'non-hex-end'],
  }),
  forgery({
    id: 'doubled-header',
    title: 'two signatures',
    sends: 'Two headers X-Service-Signature, a correct and a wrong one, in both orders.',
    why: 'The header is not a list (RFC 9110 §5.3): proxies and frameworks differ in which of the two they use.',
    failure: 'the first or the last of several headers is used, or any one that is correct',
    signatures: ['right-then-wrong', 'wrong-then-right'],
  }),
];
