import { describe, expect, it } from 'vitest';
import { takeKeys } from './take-keys.ts';

describe('takeKeys', () => {
  it('takes keys out of the environment, so that no child inherits them', () => {
    const env = { ONE: 'first-secret', TWO: 'second-secret', PATH: '/bin' };
    expect(takeKeys(['ONE', 'TWO'], env)).toEqual([
      { alias: 'A', secret: 'first-secret' },
      { alias: 'B', secret: 'second-secret' },
    ]);
    expect(env).toEqual({ PATH: '/bin' });
  });

  it('never repeats what was given in place of a name', () => {
    expect(() => takeKeys(['sk_live_4242424242'], {})).toThrow('The environment variable sk_l… is not set');
  });
});
