import { describe, expect, it } from 'vitest';
import { type StoreFlags, storeOf } from './service-options.ts';

describe('the store', () => {
  it.each<[StoreFlags, ReturnType<typeof storeOf>]>([
    [{}, { kind: 'memory' }],
    [{ store: 'none' }, { kind: 'none' }],
    [{ store: 'redis://127.0.0.1:1' }, { kind: 'redis', url: 'redis://127.0.0.1:1' }],
    [{ storeEnv: 'ADDRESS' }, { kind: 'redis', url: 'redis://:canary@127.0.0.1' }],
  ])('%j is %j', (flags, store) => {
    expect(storeOf(flags, { ADDRESS: 'redis://:canary@127.0.0.1' })).toEqual(store);
  });

  it('is taken out of the environment, which child processes inherit', () => {
    const env = { ADDRESS: 'redis://:canary@127.0.0.1' };
    storeOf({ storeEnv: 'ADDRESS' }, env);
    expect(env).toEqual({});
  });

  it.each<[string, StoreFlags, string]>([
    ['a misspelt word', { store: 'memroy' }, 'did you mean memory?'],
    ['no word', { store: '' }, 'such as redis://host'],
    ['another protocol', { store: 'http://:canary@127.0.0.1' }, 'such as redis://host'],
    ['no variable', { storeEnv: 'NOTHING' }, 'variable NOTHING is not set'],
    ['an empty variable', { storeEnv: 'EMPTY' }, 'variable EMPTY is not set'],
    ['an address for the name of a variable', { storeEnv: 'redis://:canary@a' }, 'takes the name of'],
    ['both', { store: 'redis://:canary@a', storeEnv: 'ADDRESS' }, 'not with both'],
  ])('%s is refused in a sentence without a password', (_what, flags, says) => {
    let message = '';
    try {
      storeOf(flags, { ADDRESS: 'redis://:canary@127.0.0.1', EMPTY: '' });
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(says);
    expect(message).not.toContain('canary');
  });
});
