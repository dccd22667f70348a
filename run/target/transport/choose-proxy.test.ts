import { describe, expect, it } from 'vitest';
import { chooseProxy } from './choose-proxy.ts';

const api = new URL('https://api.example.test/v1');
const plain = new URL('http://api.example.test:8080');
const env = { HTTPS_PROXY: 'http://secure:1', HTTP_PROXY: 'http://plain:2', NO_PROXY: '' };

function chosen(url: string | URL, noProxy = '', setting?: string): string | null {
  return chooseProxy(new URL(url), { setting, env: { ...env, NO_PROXY: noProxy } })?.url ?? null;
}

describe('chooseProxy', () => {
  it('goes straight where nothing says otherwise', () => {
    expect(chooseProxy(api, { setting: undefined, env: {} })).toBeNull();
  });

  it('takes the variable of the scheme, in either case, and says which', () => {
    expect(chosen(api)).toBe('http://secure:1');
    expect(chosen(plain)).toBe('http://plain:2');
    const lower = chooseProxy(api, { setting: undefined, env: { https_proxy: 'proxy:3128' } });
    expect(lower).toMatchObject({ url: 'http://proxy:3128', source: 'https_proxy', authorization: null });
  });

  it('lets the setting win, and "none" mean none', () => {
    expect(chosen(api, '*', 'http://other:3')).toBe('http://other:3');
    expect(chosen(api, '', 'none')).toBeNull();
  });

  it.each(['http://localhost:1', 'http://127.0.0.1', 'https://[::1]:8443'])(
    'never sends %s by a proxy',
    (url) => {
      expect(chosen(url)).toBeNull();
      expect(chosen(url, '', 'http://other:3')).toBeNull();
    },
  );

  it.each([
    ['*', true],
    ['api.example.test', true],
    ['API.example.test', true],
    ['example.test', true],
    ['.example.test', true],
    ['*.example.test', true],
    ['other.test, example.test:443', true],
    ['example.test:444', false],
    ['ample.test', false],
    ['.api.example.test', false],
    ['', false],
  ])('NO_PROXY=%s keeps api.example.test away from the proxy: %s', (noProxy, isExempt) => {
    expect(chosen(api, noProxy)).toBe(isExempt ? null : 'http://secure:1');
  });

  it.each([
    ['https://10.1.2.3', '10.1.0.0/16', true],
    ['https://10.2.2.3', '10.1.0.0/16', false],
    ['https://10.1.2.3', '10.1.2.3', true],
    ['https://[2001:db8::7]', '2001:db8::/32', true],
    ['https://[2001:db8::7]', '2001:db8::7', true],
    ['https://[2001:db8::7]', '[2001:db8::7]:443', true],
    ['https://[2001:db8::7]', '[2001:db8::7]:8443', false],
    ['https://10.1.2.3', '10.1.0.0/99', false],
  ])('%s under NO_PROXY=%s goes straight: %s', (url, noProxy, isExempt) => {
    expect(chosen(url, noProxy)).toBe(isExempt ? null : 'http://secure:1');
  });

  it('keeps user and password apart from what may be shown', () => {
    const proxy = chooseProxy(api, { setting: undefined, env: { HTTPS_PROXY: 'http://me:p%40ss@proxy' } });
    expect(proxy).toEqual({
      url: 'http://proxy:80',
      authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
      secretUrl: 'http://me:p%40ss@proxy/',
      source: 'HTTPS_PROXY',
    });
  });

  it('says how to write a password whose "%" is no code, and does not repeat it', () => {
    const choosing = () =>
      chooseProxy(api, { setting: undefined, env: { HTTPS_PROXY: 'http://me:50%off@p' } });
    expect(choosing).toThrow(/^HTTPS_PROXY holds .* write that character as %25\.$/);
    expect(choosing).not.toThrow(/off/);
  });

  it.each(['socks5://u:hidden@x', 'http://u:hidden@', 'ftp://x'])(
    'refuses %s without repeating it',
    (address) => {
      const choosing = () => chooseProxy(api, { setting: undefined, env: { HTTPS_PROXY: address } });
      expect(choosing).toThrow(/^HTTPS_PROXY holds no address of an HTTP proxy/);
      expect(choosing).not.toThrow(/hidden/);
    },
  );
});
