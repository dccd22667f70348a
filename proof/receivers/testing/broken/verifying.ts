import { timingSafeEqual } from 'node:crypto';
import { refusalsCase } from '../../../../contract/webhooks/drive/cases/forged.ts';
import { driveCases } from '../../../../contract/webhooks/drive/registry.ts';
import {
  type Behaviour,
  type BrokenReceiver,
  firstSecret,
  goodBehaviour,
  hmac,
  isSame,
  secondSecret,
} from '../receiver.ts';

const { isSigned } = goodBehaviour;

type Compare = (given: string, right: string, body: Buffer) => boolean;

/** Compares in another way than the good receiver: what is given with `sha256=…`, by either secret. */
function comparing(compare: Compare): () => Partial<Behaviour> {
  return () => ({
    isSigned: (given, body) =>
      [firstSecret, secondSecret].some((secret) =>
        compare(given ?? '', `sha256=${hmac(body, { secret })}`, body),
      ),
  });
}

const reserialised = (body: Buffer): Buffer => Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'))));

/** Receivers that verify signatures wrongly. */
export const verifying: readonly BrokenReceiver[] = [
  {
    name: 'computes upper-case hex',
    fails: ['valid.received'],
    behaviour: () => ({ isSigned: (given, body) => given === `sha256=${hmac(body).toUpperCase()}` }),
  },
  {
    name: 'verifies nothing',
    fails: [
      ...driveCases.filter(({ group }) => group === 'Forgeries').map(({ id }) => id),
      'effect.forged',
    ].filter((id) => id !== refusalsCase),
    behaviour: () => ({ isSigned: () => true }),
  },
  {
    name: 'verifies only where there is a signature',
    fails: ['forged.no-signature', 'effect.forged'],
    behaviour: () => ({
      signatureOf: ({ headersDistinct }) => headersDistinct['x-service-signature']?.join(', ') ?? null,
      isSigned: (given, body) => given === null || isSigned(given, body),
    }),
  },
  {
    name: 'takes an empty signature for none to verify',
    fails: ['forged.empty-signature', 'effect.forged'],
    behaviour: () => ({ isSigned: (given, body) => given === '' || isSigned(given, body) }),
  },
  {
    name: 'looks at the form of the signature alone',
    fails: [
      'forged.wrong-secret',
      'forged.empty-secret',
      'forged.flipped-bit',
      'forged.altered-body',
      'forged.reserialised',
      'effect.forged',
    ],
    behaviour: comparing((given) => /^sha256=[0-9a-f]{64}$/.test(given)),
  },
  {
    name: 'accepts an empty secret',
    fails: ['forged.empty-secret', 'effect.forged'],
    behaviour: () => ({
      isSigned: (given, body) =>
        isSigned(given, body) || isSame(given ?? '', `sha256=${hmac(body, { secret: '' })}`),
    }),
  },
  {
    name: 'compares half of the signature',
    fails: ['forged.flipped-bit', 'effect.forged'],
    behaviour: comparing(
      (given, right) => /^sha256=[0-9a-f]{64}$/.test(given) && given.slice(0, 39) === right.slice(0, 39),
    ),
  },
  {
    name: 'verifies parsed JSON',
    fails: ['forged.reserialised', 'allowed.escaped', 'allowed.white-space'],
    behaviour: () => ({ isSigned: (given, body) => isSigned(given, reserialised(body)) }),
  },
  {
    name: 'verifies parsed JSON where the raw body does not fit',
    fails: ['forged.reserialised'],
    behaviour: () => ({
      isSigned: (given, body) => isSigned(given, body) || isSigned(given, reserialised(body)),
    }),
  },
  {
    name: 'lets the header choose the algorithm',
    fails: ['forged.sha1'],
    behaviour: () => ({
      isSigned: (given, body) =>
        isSigned(given, body) || isSame(given ?? '', `sha1=${hmac(body, { algorithm: 'sha1' })}`),
    }),
  },
  {
    name: 'takes any prefix',
    fails: ['forged.other-prefix'],
    behaviour: comparing((given, right) => isSame(given.replace(/^[^=]+=/, 'sha256='), right)),
  },
  {
    name: 'ignores the prefix',
    fails: ['forged.no-prefix'],
    behaviour: comparing((given, right) => isSame(given.replace(/^sha256=/, ''), right.slice(7))),
  },
  {
    name: 'compares as much as was given',
    fails: ['forged.truncated', 'effect.forged'],
    behaviour: comparing((given, right) => given.startsWith('sha256=') && right.startsWith(given)),
  },
  {
    name: 'compares the beginning of what was given',
    fails: ['forged.extended'],
    behaviour: comparing((given, right) => given.startsWith(right)),
  },
  {
    name: 'is not constant in length: throws where lengths differ',
    fails: ['forged.answers'],
    behaviour: comparing(
      (given, right) =>
        given.startsWith('sha256=') && timingSafeEqual(Buffer.from(given), Buffer.from(right)),
    ),
  },
  {
    name: 'throws where hex does not decode',
    fails: ['forged.answers'],
    behaviour: comparing(
      (given, right) =>
        /^sha256=.{64}$/.test(given) &&
        timingSafeEqual(Buffer.from(given.slice(7), 'hex'), Buffer.from(right.slice(7), 'hex')),
    ),
  },
  {
    name: 'takes the first of several signatures',
    fails: ['forged.doubled-header'],
    behaviour: () => ({
      signatureOf: ({ headersDistinct }) => headersDistinct['x-service-signature']?.at(0) ?? null,
    }),
  },
  {
    name: 'takes the last of several signatures',
    fails: ['forged.doubled-header'],
    behaviour: () => ({
      signatureOf: ({ headersDistinct }) => headersDistinct['x-service-signature']?.at(-1) ?? null,
    }),
  },
  {
    name: 'knows one secret',
    fails: ['secrets.rotation'],
    behaviour: () => ({ isSigned: (given, body) => isSame(given ?? '', `sha256=${hmac(body)}`) }),
  },
  {
    name: 'compares what can be decoded',
    fails: ['forged.non-hex', 'effect.forged'],
    behaviour: comparing((given, right) => {
      if (!/^sha256=.{64}$/.test(given)) return false;
      const decoded = Buffer.from(given.slice(7), 'hex');
      return decoded.equals(Buffer.from(right.slice(7), 'hex').subarray(0, decoded.length));
    }),
  },
];
