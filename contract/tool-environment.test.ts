import { expect, test } from 'vitest';
import { inToolEnvironment, toolEnvironment } from './tool-environment.ts';

const env = {
  PATH: '/bin',
  HOME: '/h',
  LC_ALL: 'C',
  DISPLAY: ':0',
  KEY_A: 'canary',
  AWS_SECRET_ACCESS_KEY: 'canary',
  HTTPS_PROXY: 'http://u:canary@p',
};
const clean = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', DISPLAY: ':0' };

test('holds what programs need, and nothing that may be secret', () => {
  expect(toolEnvironment(env)).toEqual(clean);
});

test.each([
  ['XDG_RUNTIME_DIR', true],
  ['Path', true],
  ['XDG_', false],
  ['PATH_SECRET', false],
  ['SECRET_PATH', false],
])('%s is needed: %s', (name, is) => {
  expect(Object.keys(toolEnvironment({ [name]: 'a' }))).toHaveLength(is ? 1 : 0);
});

test('leaves out what is not set', () => {
  expect(Object.keys(toolEnvironment({ TMP: undefined, HOME: '/h' }))).toEqual(['HOME']);
});

test('is shown while a program starts, and never longer', () => {
  const owner = { env };
  expect(inToolEnvironment(owner, () => owner.env)).toEqual(clean);
  expect(owner.env).toBe(env);
  const start = (): never => {
    throw new Error('not started');
  };
  expect(() => inToolEnvironment(owner, start)).toThrow('not started');
  expect(owner.env).toBe(env);
});
