/** Every block of code of every page is run, or else stands in the list of `ways.ts` with the reason why it is not. */
import { type ChildProcess, spawn } from 'node:child_process';
import { glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { documentSchema } from '../../contract/document/document.ts';
import { traceHeaderSchema } from '../../contract/trace-header.ts';
import { findK6 } from '../../load/runner/find-k6.ts';
import { skipWithout } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { bash } from '../testing/bash.ts';
import { inProcess } from '../testing/in-process.ts';
import { type Block, blocksOf } from '../testing/pages/blocks-of.ts';
import { linesOf, type Place, type, typeWords } from '../testing/pages/typed.ts';
import { type Way, ways } from '../testing/pages/ways.ts';
import { type Reference, startReference } from '../testing/reference.ts';

const root = join(import.meta.dirname, '..', '..');
const secret = 'the-webhook-secret-of-a-test';
const signature = 'sha256=0000000000000000000000000000000000000000000000000000000000000000';

let reference: Reference;
let receiver: ChildProcess;
let hasK6 = false;
let place: Omit<Place, 'cwd'>;

beforeAll(async () => {
  reference = await startReference({ windowSeconds: 2 });
  const { PATH = '', HOME = '' } = process.env;
  receiver = spawn(process.execPath, [join(root, 'docs/receivers/receiver.ts'), '0'], {
    env: { PATH, WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = await new Promise<string>((resolve) =>
    receiver.stdout?.setEncoding('utf8').once('data', resolve),
  );
  const k6 = await findK6({ env: process.env });
  hasK6 = k6.kind === 'found';
  place = {
    env: {
      ...{ PATH, HOME, HOOK: secret, VALUE: signature, ...reference.env },
      ...(k6.kind === 'found' ? { K6_BIN: k6.k6.path } : {}),
    },
    here: [
      ['https://api.example.test', reference.service.url],
      ['http://127.0.0.1:8080', reference.service.url],
      ['--allow-host api.example.test', '--allow-host 127.0.0.1'],
      ['http://127.0.0.1:3000/hooks', said.trim().replace('receiving on ', '')],
      ['$VALUE', signature],
    ],
  };
}, 20 * 60_000);

afterAll(async () => {
  receiver.kill();
  await reference.service.close();
});

const pages: string[] = [];
for await (const page of glob(['*.md', 'docs/**/*.md'], { cwd: root })) pages.push(page);
const blocksByPage = new Map<string, readonly Block[]>();
for (const page of pages.toSorted()) {
  const blocks = blocksOf(await readFile(join(root, page), 'utf8'));
  if (blocks.length > 0) blocksByPage.set(page, blocks);
}

test('every page with blocks of code is in the list', () => {
  expect(Object.keys(ways).toSorted()).toEqual([...blocksByPage.keys()]);
});

describe.each([...blocksByPage])('%s', { timeout: 300_000 }, (page, blocks) => {
  const listed = ways[page] ?? [];

  test('has the blocks that are listed, in that order', () => {
    const begun = blocks.map(({ line, text }, at) => {
      const beginnings = listed[at]?.[0].split('|') ?? [];
      return beginnings.find((one) => text.startsWith(one)) === undefined ? `${page}:${line}: ${text}` : '';
    });
    expect([begun.filter((text) => text !== ''), listed.length]).toEqual([[], blocks.length]);
  });

  let cwd = '';
  beforeAll(async () => {
    cwd = await checkoutFor(page);
  });

  test.for(blocks.map((block, at) => [block.line, block, listed[at]?.[1]] as const))(
    'line %i does what it says',
    async ([_line, block, way], context) => {
      if (way === undefined) throw new Error(`nobody runs ${block.text}`);
      const lacks =
        way.kind === 'typed' && !hasK6 ? way.lines.find(({ needs }) => needs === 'k6') : undefined;
      if (lacks !== undefined) skipWithout('k6', context);
      await does(way, block, { page, place: { ...place, cwd } });
    },
  );
});

/** A folder in which what a page types finds what it names. */
async function checkoutFor(page: string): Promise<string> {
  const cwd = await temporaryFolder();
  await symlink(join(root, 'documents'), join(cwd, 'documents'));
  await mkdir(join(cwd, 'node_modules'));
  await symlink(join(root, 'node_modules/undici'), join(cwd, 'node_modules/undici'));
  await writeFile(join(cwd, 'body.json'), '{"event":"message.sent"}');
  const openApi = {
    openapi: '3.1.0',
    info: { title: 'x' },
    'x-rate-limit': '9/min',
    paths: { '/a': { get: {} } },
  };
  await writeFile(join(cwd, 'openapi.yaml'), JSON.stringify(openApi));
  if (page === 'docs/kubernetes.md')
    await writeFile(join(cwd, 'conformance.config.ts'), await settingsOfThePage());
  return cwd;
}

async function settingsOfThePage(): Promise<string> {
  const [block] = blocksOf(await readFile(join(root, 'docs/settings.md'), 'utf8'));
  return fromRoot(block?.text ?? '');
}

const fromRoot = (code: string): string => code.replaceAll("from './", `from '${root}/`);

type Around = { readonly page: string; readonly place: Place };

async function does(way: Way, { text }: Block, { page, place }: Around): Promise<void> {
  const { cwd } = place;
  switch (way.kind) {
    case 'typed': {
      const lines = linesOf(text);
      expect(lines).toHaveLength(way.lines.length);
      for (const [at, line] of lines.entries()) await type(line, way.lines[at] ?? { says: /^$/ }, place);
      return;
    }
    case 'elsewhere': {
      const test = await readFile(join(root, way.test), 'utf8');
      const named =
        way.test === '.ci/run'
          ? linesOf(text).flatMap((line) => line.split(' && '))
          : [page.split('/').at(-1)];
      for (const name of named) expect(test).toContain(name);
      return;
    }
    case 'program': {
      await writeFile(join(cwd, 'program.mts'), fromRoot(text));
      const ended = await bash(`"${process.execPath}" program.mts`, { cwd, env: {} });
      return expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    case 'settings': {
      await writeFile(join(cwd, 'conformance.config.ts'), fromRoot(text));
      const { code, stdout } = await inProcess(['plan', '--allow-host', 'api.example.test'], cwd);
      return expect([code, stdout]).toEqual([0, expect.stringContaining('https://api.example.test')]);
    }
    case 'document': {
      const example = parse(
        await readFile(join(root, way.example ?? 'documents/examples/search.yaml'), 'utf8'),
      );
      const shown: unknown = parse(text);
      if (way.example !== null) return expect(shown).toEqual(example);
      return expect(documentSchema.safeParse({ ...example, ...(shown as object) })).toMatchObject({
        success: true,
      });
    }
    case 'trace header':
      return void traceHeaderSchema.parse(JSON.parse(text));
    case 'container':
      return contained(text, way.lines, place);
    case 'shown':
      return expect(text).toMatch(way.says);
  }
}

/** What stands after the image's name is typed here; a Secret has the names that our manifests ask for. */
async function contained(
  text: string,
  lines: Extract<Way, { kind: 'container' }>['lines'],
  place: Place,
): Promise<void> {
  const [, words] = /^docker run .* messaging-conformance (.+)$/m.exec(linesOf(text).join('\n')) ?? [];
  for (const line of lines) await typeWords(words ?? '', line, place);
  const [, name, field] = /^kubectl create secret generic (\S+) --from-file=(\S+)=/.exec(text) ?? [];
  expect(words ?? name).toBeDefined();
  if (name === undefined) return;
  const { stdout } = await inProcess(['kubernetes', '--help'], place.cwd);
  expect(stdout).toContain(`"${name}"`);
  expect(stdout).toContain(`"${field}"`);
}
