import { expect, test } from 'vitest';
import { receiverUrl } from './receiver-url.ts';

const options = { flag: '--to', allowHosts: ['hooks.example.test'], sent: 'one event' };

test.each(['http://127.0.0.1:3000/hooks?source=x', 'http://localhost/', 'https://hooks.example.test/a'])(
  '%s is taken as it is',
  (text) => {
    expect(receiverUrl(text, options).href).toBe(text);
  },
);

test.each([
  ['hooks', 'give an http:// or https:// address'],
  ['ftp://127.0.0.1/', 'give an http:// or https:// address'],
  ['http://a:b@127.0.0.1/', 'a user name or a password'],
  ['http://127.0.0.1/#x', '"#x", which is never sent'],
  ['http://other.example.test/', '--allow-host other.example.test'],
])('%s is refused', (text, says) => {
  expect(() => receiverUrl(text, options)).toThrow(says);
});
