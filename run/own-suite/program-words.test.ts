import { expect, it, test } from 'vitest';
import { failureText } from '../../checks/failures.ts';
import { noKeyAdvice, showCertificateAdvice } from '../../checks/preflight-fault.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { unreachableCodes } from '../../contract/unreachable.ts';
import { checkKeyPlace } from '../target/check-key-place.ts';
import { keysOf } from '../target/keys.ts';
import { limitTestMs } from './look-times.ts';
import { inProgramWords, toldToProgram } from './program-words.ts';

/** A flag of the command. */
const flag = /--[a-z]/;

it.each(unreachableCodes)('why nothing was reached names no flag: %s', (code) => {
  const told = inProgramWords(failureText(Object.assign(new Error('x'), { code })));
  expect(told).toMatch(/\S/);
  expect(told).not.toMatch(flag);
});

it.each([
  [noKeyAdvice, 'name its variable in keyEnv'],
  [showCertificateAdvice, 'If it asks for a certificate of the client: no certificate'],
  ['not run: needs a second key (--key-env A,B)', "needs a second key (keyEnv: ['A', 'B'])"],
])('nor does other advice: %s', (advice, said) => {
  expect(inProgramWords(advice)).toContain(said);
  expect(inProgramWords(advice)).not.toMatch(flag);
});

const settings = { baseUrls: ['http://127.0.0.1:1'], keyEnv: ['OWN_A', 'OWN_B'] };
const withKey = { standard: { path: '/', headers: { 'X-Key': 'a' } } };
const keyless = { keys: 'none', countedBy: 'address' } as const;

it.each([
  ['no variable', () => keysOf(settings, {}), /OWN_A is not set: .*, or name another in keyEnv/],
  ['one key twice', () => keysOf(settings, { OWN_A: 'a-key', OWN_B: 'a-key' }), /or one alone in keyEnv/],
  [
    'no key needed',
    () => keysOf({ ...settings, document: keyless }, {}),
    /: leave keyEnv out, and none is sent\./,
  ],
  [
    'a header of keys',
    () => {
      const { document, ...rest } = deploymentSchema.parse({ ...settings, requests: withKey });
      checkKeyPlace({ ...rest, document: { ...document, keys: { header: 'X-Key' } } }, []);
    },
    /leave it out there, and name the keys in keyEnv/,
  ],
])('nor does a mistake of settings: %s', (_what, make, said) => {
  expect(() => toldToProgram(make)).toThrow(said);
  expect(() => toldToProgram(make)).not.toThrow(flag);
});

test.each([['x'], [undefined], [0], [-1], [Number.NaN], [null]])('a test of %s s has no length', (wrong) => {
  expect(() => limitTestMs(wrong as number)).toThrow(
    'windowSeconds must be a number above 0, as in limitTestMs(2)',
  );
  expect(() => limitTestMs(2, 0)).toThrow('attempts must be a number above 0');
});
