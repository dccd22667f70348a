import { expect, test } from 'vitest';
import { wayElsewhere } from './way-elsewhere.ts';

test('names nothing where nothing is needed', () => {
  expect(wayElsewhere({ baseUrls: ['http://service.test'] })).toEqual([]);
  expect(
    wayElsewhere({ baseUrls: ['https://service.test'], transport: { http: '2', proxy: 'none' } }),
  ).toEqual([]);
});

test('names every variable that stands for a setting', () => {
  const transport = { ca: 'ca.pem', clientCert: 'me.pem', clientKey: 'me.key', proxy: 'http://proxy:3128' };
  const names = wayElsewhere({ baseUrls: ['https://service.test'], transport }).map(
    (line) => line.trim().split('=')[0],
  );
  expect(names.slice(1)).toEqual([
    'GODEBUG',
    'SSL_CERT_FILE',
    'CONFORMANCE_LOAD_CLIENT_CERT',
    'CONFORMANCE_LOAD_CLIENT_KEY',
    'HTTPS_PROXY',
  ]);
});
