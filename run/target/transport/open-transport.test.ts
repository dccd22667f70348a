import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeAuthority } from '../../../testing/certificates.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { openTransport } from './open-transport.ts';

const cwd = await temporaryFolder();
const authority = makeAuthority('authority of this test');
const own = authority.issue({ names: ['me'] });
const other = authority.issue({ names: ['another'] });
const old = authority.issue({ names: ['me'], until: '2021-05-06' });
const files = {
  'ca.pem': authority.cert,
  'old-ca.pem': makeAuthority('old authority', '2021-05-06').cert,
  'me.pem': own.cert,
  'me.key': own.key,
  'other.key': other.key,
  'old.pem': old.cert,
  'old.key': old.key,
  'empty.pem': 'nothing here',
  'cut.pem': authority.cert.replace(/\n.{64}\n/, '\n'),
  'locked.key': '-----BEGIN ENCRYPTED PRIVATE KEY-----\ncanary\n-----END ENCRYPTED PRIVATE KEY-----\n',
};
for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);

const https = ['https://api.example.test'];

describe('openTransport', () => {
  it('needs nothing for a service that is not encrypted', async () => {
    const transport = await openTransport({ baseUrls: ['http://127.0.0.1:1'] }, { env: {}, cwd });
    expect(transport).toEqual({ settings: {}, proxies: [null], trusted: null, client: null });
  });

  it('trusts the authority of the file beside those that are known', async () => {
    const known = await openTransport({ baseUrls: https }, { env: {}, cwd });
    const { trusted } = await openTransport(
      { baseUrls: https, transport: { ca: 'ca.pem' } },
      { env: {}, cwd },
    );
    expect(trusted).toHaveLength((known.trusted?.length ?? 0) + 1);
    expect(trusted).toContain(authority.cert);
  });

  it('trusts the same where only the proxy is encrypted', async () => {
    const env = { HTTP_PROXY: 'https://proxy.example.test' };
    const { trusted } = await openTransport({ baseUrls: ['http://api.example.test'] }, { env, cwd });
    expect(trusted?.length).toBeGreaterThan(0);
  });

  it('reads our own certificate with its key', async () => {
    const transport = { clientCert: 'me.pem', clientKey: 'me.key' };
    const { client } = await openTransport({ baseUrls: https, transport }, { env: {}, cwd });
    expect(client).toEqual({ certPath: join(cwd, 'me.pem'), keyPath: join(cwd, 'me.key'), ...own });
  });

  it.each([
    ['a file that is not there', { ca: 'no.pem' }, '--ca no.pem cannot be read (ENOENT)'],
    ['a file without a certificate', { ca: 'empty.pem' }, '--ca empty.pem holds no certificate'],
    ['a certificate that is cut', { ca: 'cut.pem' }, '--ca cut.pem: certificate 1 of 1 cannot be read'],
    [
      'an authority of long ago',
      { ca: 'old-ca.pem' },
      'the certificate of the authority expired on 2021-05-06',
    ],
    ['a certificate without a key', { clientCert: 'me.pem' }, '--client-cert needs --client-key beside it'],
    ['a key without a certificate', { clientKey: 'me.key' }, '--client-key needs --client-cert beside it'],
    [
      'the key of another',
      { clientCert: 'me.pem', clientKey: 'other.key' },
      'does not belong to the certificate',
    ],
    ['a certificate of long ago', { clientCert: 'old.pem', clientKey: 'old.key' }, 'expired on 2021-05-06'],
    [
      'a key with a passphrase',
      { clientCert: 'me.pem', clientKey: 'locked.key' },
      'is encrypted with a passphrase',
    ],
    ['a key that is none', { clientCert: 'me.pem', clientKey: 'empty.pem' }, 'holds no private key'],
    ['another name', { resolve: ['www.example.test:443:127.0.0.1'] }, 'requests go to api.example.test:443'],
    ['another port', { resolve: ['api.example.test:80:127.0.0.1'] }, 'requests go to api.example.test:443'],
  ])('refuses %s', async (_what, transport, message) => {
    const opening = openTransport({ baseUrls: https, transport }, { env: {}, cwd });
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow(/canary|BEGIN PRIVATE/);
  });

  it('refuses what a proxy would not do', async () => {
    const transport = { resolve: ['api.example.test:443:127.0.0.1'] };
    const env = { HTTPS_PROXY: 'http://u:canary@proxy:3128' };
    const opening = openTransport({ baseUrls: https, transport }, { env, cwd });
    await expect(opening).rejects.toThrow('the proxy http://proxy:3128 (HTTPS_PROXY) looks names up itself');
    const without = { ...transport, proxy: 'none' };
    expect((await openTransport({ baseUrls: https, transport: without }, { env, cwd })).proxies).toEqual([
      null,
    ]);
  });

  it('refuses HTTP/2 where nothing is encrypted', async () => {
    const transport = { http: '2' } as const;
    const opening = openTransport({ baseUrls: ['http://127.0.0.1:80'], transport }, { env: {}, cwd });
    await expect(opening).rejects.toThrow('http://127.0.0.1 is not: give an https:// address');
  });
});
