import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { UsageError } from '../../contract/usage-error.ts';
import {
  headerSecrets,
  secretHeadersOf,
  takeHeaders,
  withHeaders,
  withheldHeaders,
} from './secret-headers.ts';

const gate = secretHeadersOf(['X-Api-Key=GATE_KEY']);

describe('secret headers', () => {
  it('are taken out of the environment, unless somebody else reads the variable too', () => {
    const env = { GATE_KEY: 'canary', PATH: '/bin' };
    expect(takeHeaders(gate, { ...env }, ['GATE_KEY'])).toEqual({ 'X-Api-Key': 'canary' });
    expect(takeHeaders(gate, env)).toEqual({ 'X-Api-Key': 'canary' });
    expect(env).toEqual({ PATH: '/bin' });
  });

  it.each([
    ['no name', ['=A'], 'give a header and its value'],
    ['a header of the connection', ['Content-Length=A'], 'belongs to the request itself'],
    ['a value in place of a name', ['X-Api-Key=sk-canary/1'], 'takes the name of an environment variable'],
    ['a value alone', ['Y2FuYXJ5LWNhbmFyeQ=='], '--header-env Y2Fu… takes the name'],
    ['a whole header line', ['X-Api-Key: canary=x'], '"X-Ap…" cannot be read'],
    ['one header twice', ['X-Key=A', 'x-key=B'], 'names x-key twice'],
    ['a variable that is not set', ['X-Key=NONE'], 'NONE is not set: set it to the value of X-Key'],
    ['a key in capitals in place of a name', ['X-Key=CANARYCANARYCANARY'], 'CANA… is not set'],
    ['an empty one', ['X-Key=EMPTY'], 'EMPTY is empty'],
    ['a line break', ['X-Key=BROKEN'], 'BROKEN holds no usable value of X-Key'],
  ])('%s: says what to do, and nothing of the value', (_what, texts, says) => {
    const env = { EMPTY: '', BROKEN: 'canary\r\nX: y' };
    const take = () => takeHeaders(secretHeadersOf(texts), { ...env });
    expect(take).toThrow(UsageError);
    expect(take).toThrow(says);
    expect(take).not.toThrow(/canary|CANARYC|Y2FuYXJ5/);
  });

  it('are masked whole and word by word', () => {
    const secrets = headerSecrets({ Cookie: 'sid=0123456789; lang=en', Authorization: 'Basic dXNlcjpwYXNz' });
    expect(secrets.map(({ secret }) => secret)).toEqual([
      'sid=0123456789; lang=en',
      '0123456789',
      'Basic dXNlcjpwYXNz',
      'dXNlcjpwYXNz',
    ]);
  });

  it('replace others of the same name in every request, and are withheld where they are shown', () => {
    const deployment = deploymentSchema.parse({
      baseUrls: ['http://127.0.0.1'],
      keyEnv: ['A'],
      requests: { media: { path: '/m', headers: { 'x-api-key': '(withheld)', Accept: 'a/b' } } },
      otherMethods: { media: { method: 'DELETE', path: '/m' } },
    });
    const sent = withHeaders(deployment, { 'X-Api-Key': 'canary' });
    expect(sent.requests.media?.headers).toEqual({ Accept: 'a/b', 'X-Api-Key': 'canary' });
    expect(sent.otherMethods.media?.headers).toEqual({ 'X-Api-Key': 'canary' });
    const shown = withHeaders(deployment, withheldHeaders(gate));
    expect(shown.requests.media?.headers).toEqual({ Accept: 'a/b', 'X-Api-Key': '(withheld)' });
    expect(withHeaders(deployment, {})).toBe(deployment);
  });
});
