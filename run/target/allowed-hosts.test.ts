import { describe, expect, it } from 'vitest';
import { checkHosts, isLoopback } from './allowed-hosts.ts';

const hostname = (url: string) => new URL(url).hostname;

describe('isLoopback', () => {
  it.each([
    'http://localhost:1',
    'http://127.0.0.1',
    'http://127.1',
    'http://127.255.0.9',
    'http://[::1]:80',
    'http://0x7f000001',
  ])('knows %s', (url) => expect(isLoopback(hostname(url))).toBe(true));

  it.each([
    'http://localhost.example.test',
    'http://127.0.0.1.example.test',
    'http://128.0.0.1',
    'http://10.0.0.1',
    'http://192.168.0.1',
    'http://0.0.0.0',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[fe80::1]',
  ])('takes %s for another machine', (url) => expect(isLoopback(hostname(url))).toBe(false));
});

describe('checkHosts', () => {
  it('lets load go to exactly the hosts that were allowed, on any port', () => {
    expect(() => checkHosts(['https://api.example.test:8443/x'], ['API.example.test'], 'one')).not.toThrow();
    expect(() => checkHosts(['https://api.example.test'], ['example.test'], 'one')).toThrow(
      '--allow-host api.example.test',
    );
    expect(() => checkHosts(['https://api.example.test'], ['pi.example.test'], 'one')).toThrow(
      '--allow-host',
    );
    expect(() =>
      checkHosts(['http://127.0.0.1', 'https://api.example.test'], [], 'hundreds of requests'),
    ).toThrow('api.example.test is not on this machine, and hundreds of requests would be sent there');
  });

  it.each(['https://x', 'x:80/', 'x:8080', 'x/y', 'u@x', ''])('takes "%s" for no host name', (host) => {
    expect(() => checkHosts(['http://127.0.0.1'], [host], 'one')).toThrow(
      '--allow-host takes a host name alone',
    );
  });

  const elsewhere = (resolve: string) => (allowed: readonly string[]) => () =>
    checkHosts(['https://api.example.test'], allowed, 'one', [resolve]);

  it('asks where a name is looked for, not what it is', () => {
    const away = elsewhere('api.example.test:443:10.1.2.3');
    expect(away([])).toThrow('10.1.2.3, where --resolve looks for api.example.test, is not on this machine');
    expect(away([])).toThrow('--allow-host 10.1.2.3');
    expect(away(['10.1.2.3'])).not.toThrow();
    expect(away(['api.example.test'])).not.toThrow();
    expect(elsewhere('api.example.test:443:127.0.0.1')([])).not.toThrow();
    expect(elsewhere('api.example.test:443:::1')([])).not.toThrow();
    expect(elsewhere('api.example.test:443:[2001:db8::7]')(['2001:db8::7'])).not.toThrow();
    // Another port of the host is not looked for there.
    expect(elsewhere('api.example.test:80:127.0.0.1')([])).toThrow('--allow-host api.example.test');
  });

  it('does not take a name of this machine that is looked for elsewhere for this machine', () => {
    const url = ['http://localhost:8080'];
    expect(() => checkHosts(url, [], 'one', ['localhost:8080:10.1.2.3'])).toThrow('--allow-host 10.1.2.3');
  });
});
