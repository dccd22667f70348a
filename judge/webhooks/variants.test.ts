import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventText } from './testing/deliveries.ts';
import { verifySignature } from './verify-signature.ts';

/**
 * Ways to sign that are in use, or that people make by mistake, each made here from the public description of the scheme.
 * The names say whose; none of their code is used.
 */
type Variant = {
  readonly name: string;
  readonly value: string;
  /** Bytes that are sent, where they are not the usual body. */
  readonly body?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly secret?: string;
  /** What has to be said. */
  readonly says: string;
};

const secret = 'secret-of-the-table';
const body = eventText('message.received', 'msg_1', { body: 'Grüße <b>&</b> a/b "q" 👋' });
const parsed: unknown = JSON.parse(body);
const time = '1760000041';
const id = 'evt_7';
const host = 'hooks.example.test';
const path = '/hooks?tenant=1';
const url = `https://${host}${path}`;
const headers = [
  ['Host', host],
  ['X-Timestamp', time],
  ['Webhook-Id', id],
] as const;

type Key = string | Uint8Array;

const mac = (text: string | Uint8Array, key: Key = secret, name = 'sha256') =>
  createHmac(name, key).update(text);
const hex = (text: string | Uint8Array, key: Key = secret, name = 'sha256') =>
  mac(text, key, name).digest('hex');
const base64 = (text: string, key: Key = secret) => mac(text, key).digest('base64');

const ascii = (json: string): string =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const go = (json: string): string =>
  json.replace(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
/** Objects in objects of texts and numbers are all that an event holds. */
const python = (value: unknown, isSorted = false): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  const parts = (isSorted ? entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) : entries).map(
    ([name, part]) => `"${name}": ${python(part, isSorted)}`,
  );
  return `{${parts.join(', ')}}`;
};
const ordered = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, part]) => [name, ordered(part)]),
      );
const data = (parsed as { data: unknown }).data;
const spread = JSON.stringify(parsed, null, 2);
const whsec = `whsec_${Buffer.from('key of a subscription').toString('base64')}`;

const row = (name: string, value: string, says: string, more: Partial<Variant> = {}): Variant => ({
  name,
  value,
  says,
  ...more,
});

/** How the value is written; what is signed is the body. */
const written: readonly Variant[] = [
  row('GitHub', `sha256=${hex(body)}`, 'the exact bytes of the body'),
  row('Gitea and Gogs, no prefix', hex(body), 'the exact bytes of the body'),
  row('a space after the sign', `sha256= ${hex(body)}`, 'white space after'),
  row('a space around it', ` sha256=${hex(body)} `, 'white space around'),
  row('quotes', `sha256="${hex(body)}"`, 'quotes around'),
  row('quotes around all', `"sha256=${hex(body)}"`, 'no "sha256="'),
  row('a colon', `sha256:${hex(body)}`, 'the exact bytes of the body'),
  row('a list of two, the first right', `sha256=${hex(body)},sha256=${hex(body, 'old')}`, 'several values'),
  row('a list of two, the second right', `sha256=${hex(body, 'old')}, sha256=${hex(body)}`, 'several values'),
  row('upper case', `sha256=${hex(body).toUpperCase()}`, 'upper-case hex'),
  row(
    'mixed case',
    `sha256=${hex(body).replace(/[a-f]/, (digit) => digit.toUpperCase())}`,
    'hex of mixed case',
  ),
  row('hex with 0x', `0x${hex(body)}`, 'hex with signs between'),
  row('hex with colons', hex(body).replaceAll(/(..)(?=.)/g, '$1:'), 'hex with signs between'),
  row('Shopify, WooCommerce, LINE, Xero: base64', base64(body), 'base64'),
  row('Typeform: base64 after sha256=', `sha256=${base64(body)}`, 'base64'),
  row('base64 without padding', base64(body).replace(/=+$/, ''), 'base64 without padding'),
  row('base64url', `sha256=${mac(body).digest('base64url')}`, 'base64'),
  row('base64 of the hex digits', Buffer.from(hex(body)).toString('base64'), 'base64 of the hex digits'),
  row('the first half of the digits', hex(body).slice(0, 32), 'the first 32 digits of hex'),
  row('Intercom: sha1=', `sha1=${hex(body, secret, 'sha1')}`, 'HMAC-SHA1'),
  row('SHA-1 after sha256=', `sha256=${hex(body, secret, 'sha1')}`, 'HMAC-SHA1'),
  row('SHA-384', `sha384=${hex(body, secret, 'sha384')}`, 'HMAC-SHA384'),
  row('Paystack: SHA-512', hex(body, secret, 'sha512'), 'HMAC-SHA512'),
  row('SHA-512 after sha256=', `sha256=${hex(body, secret, 'sha512')}`, 'HMAC-SHA512'),
  row('MD5', hex(body, secret, 'md5'), 'HMAC-MD5'),
];

/** Times, ids and addresses beside the body. */
const beside: readonly Variant[] = [
  row('Stripe', `t=${time},v1=${hex(`${time}.${body}`)}`, 'the "t" of the value, "." and the body'),
  row(
    'Stripe with an old scheme',
    `t=${time},v1=${hex(`${time}.${body}`)},v0=${hex(body, 'test')}`,
    '"." and the body',
  ),
  row('Calendly', `t=${time}, v1=${hex(`${time}.${body}`)}`, '"." and the body'),
  row('Paddle', `ts=${time};h1=${hex(`${time}:${body}`)}`, 'the "ts" of the value, ":" and the body'),
  row('Standard Webhooks', `v1,${base64(`${id}.${time}.${body}`)}`, 'joined by "."'),
  row('Standard Webhooks, two', `v1,${base64('x')} v1,${base64(`${id}.${time}.${body}`)}`, 'joined by "."'),
  row(
    'Svix: whsec_',
    `v1,${base64(`${id}.${time}.${body}`, Buffer.from('key of a subscription'))}`,
    'decoded from base64',
    {
      secret: whsec,
    },
  ),
  row('the whole whsec_ as the key', `v1,${base64(`${id}.${time}.${body}`, whsec)}`, 'joined by "."', {
    secret: whsec,
  }),
  row('whsec_ left out', `sha256=${hex(body, whsec.slice(6))}`, 'without "whsec_"', { secret: whsec }),
  row('Slack', `v0=${hex(`v0:${time}:${body}`)}`, '"v0:"'),
  row('Zoom', `v0=${hex(`v0:${time}:${body}`)}`, '":" and the body'),
  row('Zendesk', base64(`${time}${body}`), 'X-Timestamp and the body'),
  row('a time in a header, "."', `sha256=${hex(`${time}.${body}`)}`, 'X-Timestamp, "." and the body'),
  row('a time in a header, a line break', `sha256=${hex(`${time}\n${body}`)}`, 'a line break and the body'),
  row('a time after the body', `sha256=${hex(`${body}${time}`)}`, 'the body and X-Timestamp'),
  row('a time after the body, "."', `sha256=${hex(`${body}.${time}`)}`, 'the body, "." and X-Timestamp'),
  row('the timestamp of the event', `sha256=${hex(`1760000040.${body}`)}`, 'timestamp, "." and the body'),
  row('time, id and body', `sha256=${hex(`${time}.${id}.${body}`)}`, 'X-Timestamp, Webhook-Id and the body'),
  row(
    'id, time and body without signs',
    `sha256=${hex(`${id}${time}${body}`)}`,
    'Webhook-Id, X-Timestamp and the body',
  ),
  row(
    'HubSpot: method, URL, body, time',
    base64(`POST${url}${body}${time}`),
    'method, URL, the body and X-Timestamp',
  ),
  row('Square: URL and body', base64(`${url}${body}`), 'URL and body'),
  row('body and URL', `sha256=${hex(`${body}${url}`)}`, 'body and URL'),
  row('URL without encryption', `sha256=${hex(`http://${host}${path}${body}`)}`, 'URL and body'),
  row('method, URL and body', `sha256=${hex(`POST${url}${body}`)}`, 'method, URL and body'),
  row('path and body', `sha256=${hex(`${path}${body}`)}`, 'path and body'),
  row('method, path and body', `sha256=${hex(`POST${path}${body}`)}`, 'method, path and body'),
  row('method, path and body in lines', `sha256=${hex(`POST\n${path}\n${body}`)}`, 'a line each'),
  row(
    'Coinbase: time, method, path, body',
    hex(`${time}POST${path}${body}`),
    'X-Timestamp, method, path and the body',
  ),
];

/** JSON that is not written as it is sent, and bytes that are changed on the way. */
const rewritten: readonly Variant[] = [
  row('compact', hex(JSON.stringify(parsed)), 'compact', { body: spread }),
  row('Python', hex(ascii(python(parsed))), 'as Python does'),
  row('Python, ensure_ascii=False', hex(python(parsed)), 'with spaces (as Python does)'),
  row('Python, sort_keys', hex(ascii(python(parsed, true))), 'keys sorted'),
  row('Python, sort_keys, non-ASCII as it is', hex(python(parsed, true)), 'keys sorted'),
  row('Python, compact and sorted', hex(ascii(JSON.stringify(ordered(parsed)))), 'keys sorted'),
  row('sorted, compact', hex(JSON.stringify(ordered(parsed))), 'compact, keys sorted'),
  row('sorted, indented', hex(JSON.stringify(ordered(parsed), null, 2)), 'indented by two, keys sorted'),
  row('indented by two', hex(spread), 'indented by two'),
  row('indented by four', hex(JSON.stringify(parsed, null, 4)), 'indented by four'),
  row('indented by tabs', hex(JSON.stringify(parsed, null, '\t')), 'indented by tabs'),
  row('PHP', hex(ascii(body).replaceAll('/', '\\/')), 'as PHP does'),
  row('PHP, unescaped Unicode', hex(body.replaceAll('/', '\\/')), '"/" escaped'),
  row('Go', hex(go(body)), 'as Go does'),
  row('Go, Encode signed, Marshal sent', hex(`${body}\n`), 'as Encode of Go writes it'),
  row('Go, Marshal signed, Encode sent', hex(body), 'the line break at its end', { body: `${body}\n` }),
  row('Rails', hex(ascii(go(body))), 'and non-ASCII escaped'),
  row('data alone', hex(JSON.stringify(data)), 'data alone'),
  row('data alone, by Python', hex(ascii(python(data))), 'data alone'),
  row('a byte order mark that was not signed', hex(body), 'byte order mark (BOM)', { body: `\ufeff${body}` }),
  row('a byte order mark that was signed alone', hex(`\ufeff${body}`), 'byte order mark (BOM)'),
  row('CRLF signed, LF sent', hex(spread.replaceAll('\n', '\r\n')), 'CRLF', { body: spread }),
  row('LF signed, CRLF sent', hex(spread), 'LF', { body: spread.replaceAll('\n', '\r\n') }),
  row('trimmed before it was signed', hex(body), 'white space around', { body: `  ${body} ` }),
  row('signed as a JSON string', hex(JSON.stringify(body)), 'as a JSON string'),
  row('an empty body, as where a stream was read before', hex(''), 'an empty text'),
];

/** What became of the secret, and what is no HMAC. */
const keyed: readonly Variant[] = [
  row('a line break after the secret', hex(body, `${secret}\n`), 'with a line break after it'),
  row('a secret with white space around it', hex(body, secret), 'without the white space', {
    secret: ` ${secret} `,
  }),
  row('a quoted secret in the settings', hex(body, `"${secret}"`), 'in double quotes'),
  row('a secret in single quotes', hex(body, `'${secret}'`), 'in single quotes'),
  row('quotes that the sender took away', hex(body, secret), 'without the quotes', { secret: `"${secret}"` }),
  row('a secret decoded from hex', hex(body, Buffer.from('00ff10a5', 'hex')), 'decoded from hex', {
    secret: '00ff10a5',
  }),
  row('a secret decoded from base64', hex(body, Buffer.from('abcdefgh', 'base64')), 'from base64', {
    secret: 'abcdefgh',
  }),
  row('a secret encoded as base64', hex(body, Buffer.from(secret).toString('base64')), 'encoded as base64'),
  row(
    'the hash of the secret',
    hex(body, createHash('sha256').update(secret).digest('hex')),
    'SHA-256 in hex',
  ),
  row('GitLab: the secret itself', secret, 'the secret itself'),
  row('no secret', createHash('sha256').update(body).digest('hex'), 'without the secret'),
  row(
    'secret and body',
    createHash('sha256')
      .update(secret + body)
      .digest('hex'),
    'SHA-256 of secret and text',
  ),
  row(
    'HubSpot v1: body after the secret',
    `v1=${createHash('sha256')
      .update(secret + body)
      .digest('hex')}`,
    'of secret and text',
  ),
  row(
    'body and secret',
    createHash('sha256')
      .update(body + secret)
      .digest('hex'),
    'SHA-256 of text and secret',
  ),
  row('text and key exchanged', hex(secret, body), 'exchanged'),
];

/** Made by no computation that is looked for: what is said then must not be a guess at one. */
const hidden: readonly Variant[] = [
  row('Twilio: sorted fields of a form', mac(`${url}Body1From2`).digest('base64'), 'no computation'),
  row(
    'Adyen: chosen fields',
    mac('7914073381342284::TestMerchant:10:EUR').digest('base64'),
    'no computation',
  ),
  row('a time nobody sent', hex(`1699999999.${body}`), 'no computation'),
  row('a body that was changed', hex(`${body} changed`), 'no computation'),
  row('another secret', hex(body, 'another'), 'no computation'),
];

/** What was said of each, once: a search that finds nothing takes the longest. */
const results = new WeakMap<Variant, ReturnType<typeof verified>>();

function said(variant: Variant): ReturnType<typeof verified> {
  const result = results.get(variant) ?? verified(variant);
  results.set(variant, result);
  return result;
}

const known = [...written, ...beside, ...rewritten, ...keyed];

function verified({ value, body: sent = body, headers: given = headers, secret: own = secret }: Variant) {
  const bytes = new TextEncoder().encode(sent);
  const { fit, form, advice } = verifySignature({ body: bytes, value, secrets: [own], headers: given, path });
  const computed =
    fit === null ? 'no computation' : `${fit.algorithm} ${fit.over} ${fit.key} ${fit.encoding}`;
  return { fit, text: [computed, form ?? '', ...advice].join('; ') };
}

test.each(known)('$name is found, and named', (variant) => {
  const { fit, text } = said(variant);
  expect(fit).not.toBeNull();
  expect(text).toContain(variant.says);
});

test.each(hidden)('$name is not taken for another computation', (variant) => {
  expect(said(variant).text).toContain(variant.says);
});

test('nine of ten ways to sign are found', () => {
  const all = [...known, ...hidden];
  const found = all.filter((variant) => said(variant).fit !== null).length;
  expect(all.length).toBeGreaterThanOrEqual(76);
  expect(found / all.length).toBeGreaterThan(70 / 76);
});
