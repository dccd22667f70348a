import { describe, expect, it } from 'vitest';
import { ServiceError } from '../service-error.ts';
import { parseRedisUrl } from './redis-url.ts';

describe('the address of a Redis', () => {
  it.each([
    ['redis://localhost', 'Redis at redis://localhost'],
    ['redis://user:canary@127.0.0.1:6380/3', 'Redis at redis://127.0.0.1:6380/3'],
    ['rediss://:canary@cache.example.test', 'Redis at rediss://cache.example.test'],
    ['redis://[::1]:6379/', 'Redis at redis://[::1]:6379/'],
    ['unix:///run/redis.sock', 'Redis at unix:///run/redis.sock'],
    ['unix://user:canary@/run/redis.sock?db=1', 'Redis at unix:///run/redis.sock'],
  ])('%s is shown without its password', (text, shown) => {
    expect(parseRedisUrl(text)).toEqual({ url: text, shown });
  });

  it.each([
    '',
    'redis',
    'localhost:6379',
    'http://:canary@localhost',
    'redis://',
    'redis://:canary@',
    'redis://:canary@localhost:port',
    'redis://:canary@localhost/cache',
    'redis://:canary%@localhost',
    'unix://',
  ])('%j is refused in a sentence that repeats no password', (text) => {
    let error: unknown;
    try {
      parseRedisUrl(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ServiceError);
    expect(String(error)).not.toContain('canary');
  });
});
