import type { DriveCase } from '../case.ts';
import { delivery, type Signature } from '../delivery.ts';
import { firstCase } from './valid.ts';

type Forgery = {
  readonly id: string;
  readonly title: string;
  readonly sends: string;
  readonly why: string;
  readonly failure: string;
  /** Each stands for a delivery of its own. */
  readonly signatures: readonly Signature[];
};

function forgery({ id, title, sends, why, failure, signatures }: Forgery): DriveCase {
  // Re-serialising changes nothing unless the JSON is not written as a serialiser writes it.
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

/** What anybody could send who knows the receiver's address, but not its secret. */
export const forgedCases: readonly DriveCase[] = [
  forgery({
    id: 'no-signature',
    title: 'no signature',
    sends: 'A valid body without X-Service-Signature.',
    why: 'Whoever finds the address could report messages that were never sent.',
    failure: 'the signature is verified only where there is one',
    signatures: ['absent'],
  }),
  forgery({
    id: 'empty-signature',
    title: 'an empty signature',
    sends: 'A valid body with an empty X-Service-Signature.',
    why: 'An empty text is false in many languages, and then taken for "nothing to verify".',
    failure: 'an empty header passes for an absent one, which is let through',
    signatures: ['empty'],
  }),
  forgery({
    id: 'wrong-secret',
    title: 'another secret',
    sends: 'A body that was signed with another secret.',
    why: 'This is what a signature is for.',
    failure: 'the form of the signature is looked at, but not its value; or it is verified after the answer',
    signatures: ['by-wrong-secret'],
  }),
  forgery({
    id: 'empty-secret',
    title: 'an empty secret',
    sends: 'A body that was signed with an empty secret.',
    why: 'A secret whose variable is not set often becomes an empty text, which everybody knows.',
    failure: 'a secret that is not configured is taken for an empty one; refuse to start without it',
    signatures: ['by-empty-secret'],
  }),
  forgery({
    id: 'flipped-bit',
    title: 'one bit of the signature flipped',
    sends: 'The right signature with one bit flipped, in its first byte and in its last.',
    why: 'All 32 bytes count.',
    failure: 'only a part of the signature is compared',
    signatures: ['first-bit-flipped', 'last-bit-flipped'],
  }),
  forgery({
    id: 'altered-body',
    title: 'an altered body',
    sends: 'A body of which one byte was changed after it had been signed.',
    why: 'A signature of another body says nothing about this one.',
    failure: 'only a part of the body is signed, such as the id, or the value is not compared at all',
    signatures: ['of-altered-body'],
  }),
  forgery({
    id: 'reserialised',
    title: 'signature of the re-serialised body',
    sends: 'A body with odd white space and the signature of the same value without it.',
    why: 'Only the bytes were signed. Whoever verifies parsed JSON breaks as soon as two serialisers differ.',
    failure: 'the body is parsed and serialised again before it is verified; keep the raw bytes',
    signatures: ['of-reserialised-body'],
  }),
  forgery({
    id: 'sha1',
    title: 'a weaker algorithm',
    sends: 'sha1= and a right HMAC-SHA1.',
    why: 'The receiver chooses the algorithm, never the sender’s header.',
    failure: 'the algorithm is taken from the header',
    signatures: ['sha1'],
  }),
  forgery({
    id: 'other-prefix',
    title: 'another prefix',
    sends: 'The right HMAC-SHA256 behind sha512=.',
    why: 'The documented form is sha256=<signature>; what is behind another prefix is not what it says.',
    failure: 'whatever stands before "=" is cut off and not compared',
    signatures: ['other-prefix'],
  }),
  forgery({
    id: 'no-prefix',
    title: 'no prefix',
    sends: 'The right HMAC-SHA256 without sha256= before it.',
    why: 'The documented form is sha256=<signature>.',
    failure: 'the prefix is removed where it is there, and not missed where it is not',
    signatures: ['no-prefix'],
  }),
  forgery({
    id: 'truncated',
    title: 'a truncated signature',
    sends: 'sha256= with none, half, and all but one of the 64 digits.',
    why: 'A comparison that ends with the shorter text is passed by guessing a few digits.',
    failure:
      'compared is only as much as was given (a 2xx), or texts of different length make the comparison throw (a 5xx)',
    signatures: ['prefix-alone', 'first-half', 'all-but-one-digit'],
  }),
  forgery({
    id: 'extended',
    title: 'a signature that is too long',
    sends: 'The right signature with one digit more.',
    why: 'The documented form ends with the signature.',
    failure: 'compared is only the beginning (a 2xx), or another length makes the comparison throw (a 5xx)',
    signatures: ['one-digit-more'],
  }),
  forgery({
    id: 'non-hex',
    title: 'a signature that is no hex',
    sends: '64 letters that are no hex digits, and the right signature with two of them at its end.',
    why: 'Decoders of hex stop or throw where it is none.',
    failure:
      'what is left after decoding is compared, or has another length, which makes the comparison throw (a 5xx)',
    signatures: ['non-hex', 'non-hex-end'],
  }),
  forgery({
    id: 'doubled-header',
    title: 'two signatures',
    sends: 'Two headers X-Service-Signature, a right and a wrong one, in both orders.',
    why: 'The field is not a list (RFC 9110 §5.3): proxies and frameworks differ in which of two they take.',
    failure: 'the first or the last of several headers is taken, or any that fits',
    signatures: ['right-then-wrong', 'wrong-then-right'],
  }),
];
