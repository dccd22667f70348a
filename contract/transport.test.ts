import { describe, expect, it } from 'vitest';
import { portOf, readRedirection, transportSchema } from './transport.ts';

describe('where a name really is', () => {
  it.each([
    ['api.example.test:443:127.0.0.1', { host: 'api.example.test', port: 443, address: '127.0.0.1' }],
    ['API.example.test:1:[::1]', { host: 'api.example.test', port: 1, address: '::1' }],
    ['[::1]:65535:fe80::1', { host: '[::1]', port: 65_535, address: 'fe80::1' }],
    ['a:080:255.249.199.9', { host: 'a', port: 80, address: '255.249.199.9' }],
  ])('%s is read', (text, read) => {
    expect(readRedirection(text)).toEqual(read);
  });

  it.each([
    '',
    'a:80',
    ':80:127.0.0.1',
    'a:0:127.0.0.1',
    'a:65536:127.0.0.1',
    'a:123456:127.0.0.1',
    'a:x:127.0.0.1',
    'a b:80:127.0.0.1',
    'a%:80:127.0.0.1',
    'a/b:80:127.0.0.1',
    '//a:80:127.0.0.1',
    'a?b:80:127.0.0.1',
    'user@a:80:127.0.0.1',
    'x a:80:127.0.0.1',
    'a:80:b',
    'a:80:',
    'a:80:1.2.3',
    'a:80:1.2.3.4.5',
    'a:80:1.2.3.4.',
    'a:80:256.1.1.1',
    'a:80:1.1.1.300',
    'a:80:01a.1.1.1',
    'a:80:1.1.1.1 ',
    'a:80: 1.1.1.1',
    'a:80:b:c',
    'a:80:[::1',
    'a:80:[::1]]',
    'a:80:1[::1]',
    'a:80:[::1]1',
    'a:80:::1]/b',
    'a:80:1.1.1.1\n',
  ])('%j is none', (text) => {
    expect(readRedirection(text)).toBeNull();
  });
});

it.each([
  ['https://a.test', 443],
  ['http://a.test', 80],
  ['https://a.test:8443', 8_443],
])('%s leads to port %i', (url, port) => {
  expect(portOf(new URL(url))).toBe(port);
});

describe('a proxy', () => {
  const messagesFor = (proxy: string) =>
    transportSchema.safeParse({ proxy }).error?.issues.map(({ message }) => message) ?? [];

  it.each(['none', 'http://proxy.example.test:3128', 'https://127.0.0.1/'])('may be %s', (proxy) => {
    expect(messagesFor(proxy)).toEqual([]);
  });

  it.each([
    ['', 'must be an address'],
    ['proxy.example.test:3128', 'must be an address'],
    ['see http://proxy.example.test', 'must be an address'],
    ['socks5://proxy.example.test', 'must be an address'],
    ['xhttp://proxy.example.test/', 'must be an address'],
    ['http://', 'must be an address'],
    ['http://proxy.example.test/path', 'must be an address'],
    ['http://user@proxy.example.test', 'must hold no user or password'],
    ['http://:secret@proxy.example.test', 'must hold no user or password'],
  ])('%j is refused: it %s', (proxy, message) => {
    expect(messagesFor(proxy)).toEqual([expect.stringContaining(message)]);
  });
});

it('has either version of HTTP and of addresses', () => {
  for (const settings of [{ http: '1.1', ip: '4' } as const, { http: '2', ip: '6' } as const])
    expect(transportSchema.parse(settings)).toEqual(settings);
});

it('says how a name that is elsewhere is written', () => {
  const { error } = transportSchema.safeParse({ resolve: ['a:80'] });
  expect(error?.issues).toMatchObject([{ message: expect.stringContaining('host:port:address') }]);
});
