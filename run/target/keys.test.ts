import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { readKeysFile, takeKeys } from './keys.ts';

const folder = await temporaryFolder();

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
    expect(() => takeKeys(['AKIAIOSFODNN7EXAMPLE'], {})).toThrow('The environment variable AKIA… is not set');
    expect(() => takeKeys(['SK_LIVE_4242_ABCD'], {})).not.toThrow(/4242|ABCD/);
  });

  it.each(['a', 'code', 'error', 'rate', 'limit', 'json', '60', '1', 'ok'])(
    'takes no key that stands in usual answers, as %j does, and does not say which it is',
    (secret) => {
      const taking = () => takeKeys(['KEY_A'], { KEY_A: secret });
      expect(taking).toThrow(
        /^The API key in KEY_A is so short, or so usual a word, that answers hold it by chance; .* unreadable: give the deployment a longer one\.$/,
      );
      expect(taking).not.toThrow(new RegExp(`["“]${secret}|${secret}["”]`));
    },
  );

  it.each(['demo', 'test', 'key-a', 'secret', 'k1', '0123456789abcdef', 'A1', 'first'])(
    'takes %j',
    (secret) => {
      expect(takeKeys(['KEY_A'], { KEY_A: secret })).toEqual([{ alias: 'A', secret }]);
    },
  );

  it('names what is set, what is short, and what may have been meant', () => {
    expect(() => takeKeys(['STAGING_API_KEY_A'], { STAGING_API_KEY_A: '' })).toThrow(
      'The environment variable STAGING_API_KEY_A is empty',
    );
    expect(() => takeKeys(['KEY_A'], {})).toThrow('The environment variable KEY_A is not set');
    expect(() => takeKeys(['STAGING_API_KEYA'], { STAGING_API_KEY_A: 'x' })).toThrow(
      /^The environment variable STAG… is not set: .*; did you mean STAGING_API_KEY_A\?$/,
    );
    // Nothing is inherited from objects.
    expect(() => takeKeys(['toString_and_more'], {})).toThrow('toSt… is not set');
  });
});

describe('readKeysFile', () => {
  async function fileOf(text: string): Promise<string> {
    const path = join(folder, `keys-${Math.abs(text.length)}-${text.charCodeAt(0)}`);
    await writeFile(path, text);
    return path;
  }

  it('takes one key a line, and skips empty lines', async () => {
    expect(await readKeysFile(await fileOf('one\n\n two \r\nthree'), 2)).toEqual(['one', 'two', 'three']);
  });

  it.each([
    ['a secret key\n', /^Line 1 of \S+ is no API key: visible ASCII without spaces\.$/],
    [
      'long-enough\n60\n',
      /^Line 2 of \S+ is so short, or so usual a word, that answers hold it by chance; .* unreadable\.$/,
    ],
    ['same\nother\nsame\n', /^Line 3 of \S+ holds the same key as line 1\.$/],
    ['only-one\n', /holds 1 key, and 2 are wanted: say how many with --keys 1, or add some\.$/],
  ])('refuses %j by line, without what it holds', async (text, says) => {
    const refused = readKeysFile(await fileOf(text), 2);
    await expect(refused).rejects.toThrow(says);
    await expect(refused).rejects.not.toThrow(/secret|same key as line 1.*same\b|only-one/);
  });

  it('says that a file is not there', async () => {
    await expect(readKeysFile(join(folder, 'none'), 1)).rejects.toThrow(/cannot be read: .*--keys-file\.$/);
  });
});
