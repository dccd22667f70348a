import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate and its private key, as PEM. */
export type CertificateAndKey = { readonly cert: string; readonly key: string };

export type CertificateWish = {
  /** Host names and addresses that it is for; the first is its name too. */
  readonly names: readonly string[];
  /** Day of its end, ISO 8601; default: far away. */
  readonly until?: string;
};

/** An authority for tests alone: it exists as long as the test, and nobody else trusts it. */
export type Authority = {
  /** Its own certificate, as PEM: what clients have to trust. */
  readonly cert: string;
  readonly issue: (wish: CertificateWish) => CertificateAndKey;
};

/** Makes an authority with a key of its own (X.509 v3, RFC 5280, ECDSA with P-256). */
export function makeAuthority(name: string, until?: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = certificateOf({
    subject: name,
    issuer: name,
    publicKey,
    signer: privateKey,
    until,
    extensions: ofAuthority,
  });
  return {
    cert,
    issue: ({ names, until: end }) => {
      const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const [subject = 'nobody'] = names;
      return {
        cert: certificateOf({
          subject,
          issuer: name,
          publicKey: own.publicKey,
          signer: privateKey,
          until: end,
          extensions: [alternativeNames(names)],
        }),
        key: String(own.privateKey.export({ type: 'pkcs8', format: 'pem' })),
      };
    },
  };
}

type Content = {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly until: string | undefined;
  readonly extensions: readonly Buffer[];
};

function certificateOf({ subject, issuer, publicKey, signer, until, extensions }: Content): string {
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x4d]), randomBytes(12)])),
    ecdsaWithSha256,
    commonName(issuer),
    sequence(time('2020-01-01'), time(until ?? '2120-01-01')),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, signer)]));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** One value of DER: a tag, the length of its content, and the content (X.690 §8). */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  // Go refuses a length that could be written shorter.
  if (length < 0x100) return Buffer.concat([Buffer.from([tag, 0x81, length]), content]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function identifier(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(identifier('550403'), tagged(0x0c, Buffer.from(name)))));
}

/** GeneralizedTime from 2050 on, and UTCTime before (RFC 5280 §4.1.2.5). */
function time(day: string): Buffer {
  const digits = `${day.replaceAll('-', '')}000000Z`;
  return digits < '2050' ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

function extension(hex: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [tagged(0x01, Buffer.from([0xff]))] : [];
  return sequence(identifier(hex), ...critical, tagged(0x04, value));
}

/** Basic constraints: an authority; key usage: signing certificates. */
const ofAuthority: readonly Buffer[] = [
  extension('551d13', sequence(tagged(0x01, Buffer.from([0xff]))), true),
  extension('551d0f', tagged(0x03, Buffer.from([2, 0x04])), true),
];

function alternativeNames(names: readonly string[]): Buffer {
  return extension('551d11', sequence(...names.map(alternativeName)));
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? tagged(0x82, Buffer.from(name)) : tagged(0x87, addressBytes(name));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  const all = [...groups(head), ...zeros, ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
