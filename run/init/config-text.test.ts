import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../../contract/deployment.ts';
import { toolEnvironment } from '../../contract/tool-environment.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type Answers, flawOf, questions, settingsFrom } from './answers.ts';
import { configText, furtherSettings } from './config-text.ts';
import { literal } from './literal.ts';
import { settingsType } from './settings-type.ts';

const answers: Answers = {
  url: 'https://a.example.test, https://b.example.test',
  keyEnv: 'KEY_A KEY_B',
  standard: 'GET /v1/status',
  messages: "post /v1/messages?to='all'",
  below: 'none',
  media: 'POST /v1/media',
  otherError: 'GET /v1/no-such-path',
};

const tsc = join(import.meta.dirname, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');

/** What the compiler says of a folder, as strangers have it: strict, and with nothing of this program. */
async function compiled(folder: string): Promise<readonly string[]> {
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const ended = await promisify(execFile)(process.execPath, [tsc, '--project', folder, '--pretty', 'false'], {
    env: toolEnvironment(process.env),
    cwd: folder,
  }).catch((error: { readonly stdout: string }) => error);
  return ended.stdout.split('\n').filter((line) => line !== '');
}

describe('a first settings file', () => {
  it('is what was answered, with types that need nothing beside them', async () => {
    const folder = await temporaryFolder();
    const settings = settingsFrom(answers);
    const path = join(folder, 'conformance.config.ts');
    const text = configText(settings);
    await writeFile(path, text);
    await writeFile(join(folder, 'misspelt.ts'), text.replace('baseUrls:', 'baseUrl:'));
    await writeFile(join(folder, 'wrong.ts'), text.replace("method: 'GET'", "method: 'FETCH'"));
    expect(await compiled(folder)).toEqual([
      expect.stringMatching(/^misspelt\.ts.*'baseUrl' does not exist in type 'Settings'/),
      expect.stringMatching(/^wrong\.ts.*Type '"FETCH"' is not assignable/),
    ]);
    const { default: loaded } = await import(pathToFileURL(path).href);
    expect(loaded).toEqual(settings);
    expect(deploymentSchema.parse(loaded)).toMatchObject({
      baseUrls: ['https://a.example.test', 'https://b.example.test'],
      keyEnv: ['KEY_A', 'KEY_B'],
      requests: {
        messages: { method: 'POST', path: "/v1/messages?to='all'", body: { json: {} } },
        media: { body: { file: { bytes: 64 } } },
      },
    });
    expect(loaded.requests).not.toHaveProperty('messagesSubpath');
    expect(text).toContain('// Its body has to be filled in.');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130);
  });

  it('names the defaults of further settings truly, and all that can be set', () => {
    const text = configText(settingsFrom(answers));
    const defaults = deploymentSchema.parse(settingsFrom(answers));
    for (const [name, value] of furtherSettings) {
      const given = deploymentSchema.parse({
        ...settingsFrom(answers),
        ...new Function(`return {${name}: ${value}}`)(),
      });
      expect(given, name).toEqual(defaults);
      expect(text).toContain(`  // ${name}: ${value}, //`);
    }
    for (const field of Object.keys(deploymentSchema.shape)) expect(settingsType()).toContain(`  ${field}`);
  });
});

describe('an answer', () => {
  it.each([
    ['url', 'api.example.test', 'It must be an http:// or https:// URL, e.g. "https://api.example.test".'],
    [
      'url',
      'https://me:secret@a.test',
      'It must have no user name, query or fragment: keys come from the environment.',
    ],
    ['keyEnv', 'sk-live-4242', 'It must be the name of an environment variable, not a key itself.'],
    [
      'keyEnv',
      'CANARY7QM2FXW9ZLP4',
      'It looks like a key itself: give the name of the variable that holds it.',
    ],
    ['keyEnv', 'A,B,C', 'It '],
    ['standard', '/v1/status', 'It must be a method and a path, e.g. "GET /v1/status", or "none".'],
    ['standard', 'FETCH /v1/status', 'It must be a method and a path, e.g. "GET /v1/status", or "none".'],
  ] as const)('to %s of %j is refused, and a key is not repeated', (name, answer, flaw) => {
    const found = flawOf(name, answer, {});
    expect(found).toContain(flaw);
    if (name === 'keyEnv') expect(found).not.toContain(answer);
  });

  it('may be a name in capitals that is set', () => {
    expect(flawOf('keyEnv', 'CANARY7QM2FXW9ZLP4', { CANARY7QM2FXW9ZLP4: 'x' })).toBeNull();
    expect(flawOf('keyEnv', 'CONFORMANCE_KEY_1', {})).toBeNull();
  });

  it('is as usual where nothing is said, which is never wrong', () => {
    for (const { name, usual } of questions)
      if (usual !== null) expect(flawOf(name, usual, {}), name).toBeNull();
  });
});

it('values are written as TypeScript reads them', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // JSON knows no negative zero.
      const written = JSON.parse(JSON.stringify(value));
      expect(new Function(`return (${literal(value)})`)()).toEqual(written);
    }),
  );
});
