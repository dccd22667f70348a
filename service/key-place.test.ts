import { afterAll, expect, it } from 'vitest';
import { documentSchema, limitsOf } from '../contract/document/document.ts';
import type { Keys } from '../contract/document/keys.ts';
import { startService } from './server.ts';

const open: { close: () => Promise<void> }[] = [];
afterAll(() => Promise.all(open.map((service) => service.close())));

async function serviceOf(keys: Keys, faults: readonly string[] = [], more: object = {}): Promise<string> {
  const scopes = { rest: { title: 'all', limit: 9 } };
  const document = documentSchema.parse({ version: 1, title: 'x', windowSeconds: 60, keys, scopes, ...more });
  const service = await startService({
    ...{ document, limits: limitsOf(document), windowMs: 60_000, faults, graceMs: 0 },
    keys: new Map([['A', 'right-key']]),
  });
  open.push(service);
  return `${service.url}/v1/status`;
}

const queried: Keys = { query: 'api_key' };

const statusOf = async (url: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(url, { headers })).status;

it.each<readonly [string, Keys, Record<string, string>, number]>([
  ['the key alone', { header: 'X-Api-Key' }, { 'x-api-key': 'right-key' }, 200],
  ['another key', { header: 'X-Api-Key' }, { 'x-api-key': 'wrong-key' }, 401],
  ['nothing in the header', { header: 'X-Api-Key' }, { 'x-api-key': '' }, 401],
  ['a bearer token', { header: 'X-Api-Key' }, { authorization: 'Bearer right-key' }, 401],
  [
    'the scheme in other letters',
    { header: 'Authorization', scheme: 'Token' },
    { authorization: 'TOKEN right-key' },
    200,
  ],
  [
    'another scheme',
    { header: 'Authorization', scheme: 'Token' },
    { authorization: 'Bearer right-key' },
    401,
  ],
  ['no scheme', { header: 'Authorization', scheme: 'Token' }, { authorization: 'right-key' }, 401],
])('%s is answered as the document has it', async (_what, keys, headers, status) => {
  expect(await statusOf(await serviceOf(keys), headers)).toBe(status);
});

it.each([
  ['the key alone', '?api_key=right%2Dkey', 200],
  ['the key among others', '?a=1&api_key=right-key&b=2', 200],
  ['another key', '?api_key=wrong-key', 401],
  ['nothing in the parameter', '?api_key=', 401],
  ['another parameter', '?key=right-key', 401],
  ['no query', '', 401],
])('%s in the query is answered as the document has it', async (_what, query, status) => {
  expect(await statusOf(`${await serviceOf(queried)}${query}`, {})).toBe(status);
});

it('takes no bearer token where keys stand in the query', async () => {
  expect(await statusOf(await serviceOf(queried), { authorization: 'Bearer right-key' })).toBe(401);
});

it('serves whoever asks where a document counts by address and says nothing of keys', async () => {
  const anybody = await serviceOf('none', [], { countedBy: 'address' });
  expect(await statusOf(anybody, {})).toBe(200);
  expect(await statusOf(anybody, { authorization: 'Bearer wrong-key' })).toBe(200);
  const answer = await fetch(anybody, { headers: { authorization: 'Bearer right-key' } });
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('6');
  expect(await statusOf(await serviceOf('none', []), {})).toBe(401);
});

it('serves whoever asks in a scope whose requests carry no key', async () => {
  const scopes = {
    open: { title: 'open', limit: 9, paths: ['/open'], countedBy: 'address', keys: 'none' },
    rest: { title: 'rest', limit: 9 },
  };
  const address = await serviceOf('bearer', [], { scopes });
  const open = new URL('/open', address).href;
  expect(await statusOf(open, {})).toBe(200);
  expect(await statusOf(address, {})).toBe(401);
  const answer = await fetch(open, { headers: { authorization: 'Bearer right-key' } });
  expect(answer.headers.get('x-ratelimit-remaining')).toBe('7');
});

it('says where a key has to stand, and challenges in Authorization alone', async () => {
  const inHeader = await fetch(await serviceOf({ header: 'X-Api-Key' }));
  expect(await inHeader.text()).toContain('An API key is needed: X-Api-Key: <API_KEY>.');
  expect(inHeader.headers.get('www-authenticate')).toBeNull();
  const byToken = await fetch(await serviceOf({ header: 'Authorization', scheme: 'Token' }));
  expect(byToken.headers.get('www-authenticate')).toBe('Token');
});

it('says of keys in the query what is wrong, without a challenge', async () => {
  const url = await serviceOf(queried);
  const missing = await fetch(url);
  expect(await missing.text()).toContain('An API key is needed: ?api_key=<API_KEY>.');
  expect(missing.headers.get('www-authenticate')).toBeNull();
  const empty = await fetch(`${url}?api_key=`);
  expect(await empty.text()).toContain('The parameter api_key must hold a key: ?api_key=<API_KEY>.');
});

it('has the faults of a service whose keys are bearer tokens', async () => {
  const inQuery = await serviceOf(queried, ['keys-not-checked']);
  expect(await statusOf(`${inQuery}?api_key=wrong-key`, {})).toBe(200);
  expect(await statusOf(`${inQuery}?api_key=`, {})).toBe(401);
  const url = await serviceOf({ header: 'X-Api-Key' }, ['keys-not-checked']);
  expect(await statusOf(url, { 'x-api-key': 'wrong-key' })).toBe(200);
  expect(await statusOf(url, {})).toBe(401);
});
