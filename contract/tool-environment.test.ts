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
