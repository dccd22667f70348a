import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { access, chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { cacheFolder, findK6, k6Version } from './find-k6.ts';
import { writeScript } from './testing/fake-k6.ts';

const root = await temporaryFolder();

/** `sh` and its tools; the machine's own k6 and Go must not be found. */
const tools = await onlyTools();

async function onlyTools(): Promise<string> {
  const folder = join(root, 'tools');
  await mkdir(folder);
  for (const name of ['cat', 'chmod', 'sleep'])
    await writeScript(join(folder, name), [`exec /bin/${name} "$@"`]);
  return folder;
}

const answers = (version: string): readonly string[] => [`echo 'k6 v${version} (go1.26.8, linux/amd64)'`];

async function folderWith(name: string, lines: readonly string[]): Promise<string> {
  const folder = join(root, randomUUID());
  await mkdir(folder);
  await writeScript(join(folder, name), lines);
  return folder;
}

/** An environment whose cache is empty. */
const environment = (path: readonly string[], more: Readonly<Record<string, string>> = {}) => ({
  PATH: [...path, tools].join(':'),
  XDG_CACHE_HOME: join(root, randomUUID()),
  ...more,
});

/** A Go that "builds" a program with the given lines. */
const goThatBuilds = (lines: readonly string[]): readonly string[] => [
  'if [ "$1" = list ]; then echo example.test/a/b-c.d; exit 0; fi',
  `echo "$@" > "$0.arguments"`,
  'pwd > "$0.folder"',
  `echo "$CGO_ENABLED $GOFLAGS \${SECRET-none}" > "$0.environment"`,
  'while [ "$1" != -o ]; do shift; done',
  'echo "go: downloading example.test/a v1.0.0" >&2',
  'echo "example.test/a/b-c.d" >&2',
  `cat > "$2" <<'END'`,
  '#!/bin/sh',
  ...lines,
  'END',
  'chmod 755 "$2"',
];

test('K6_BIN comes first', async () => {
  const asked = join(await folderWith('my-k6', answers('2.9.1')), 'my-k6');
  const path = await folderWith('k6', answers('2.2.0'));
  const found = await findK6({ env: environment([path], { K6_BIN: asked }) });
  expect(found).toEqual({
    kind: 'found',
    k6: { path: asked, version: '2.9.1', source: 'K6_BIN' },
    notes: [],
  });
});

test.each([
  ['does not exist', null, /K6_BIN is .*: there is no such file\. Set it to/],
  ['is another version', answers('1.4.0'), /K6_BIN is .*: it is k6 v1\.4\.0, not v2\. Set it to/],
  ['is no k6', ['echo hello'], /"version" does not answer as k6 does/],
  ['fails', ['exit 3'], /"version" does not answer as k6 does/],
])('a K6_BIN that %s is said, and nothing else is taken', async (_what, lines, reason) => {
  const asked = join(lines === null ? root : await folderWith('k6', lines), 'k6');
  const path = await folderWith('k6', answers('2.2.0'));
  const found = await findK6({ env: environment([path], { K6_BIN: asked }) });
  expect(found).toMatchObject({ kind: 'unusable', reason: expect.stringMatching(reason) });
});

test('the first k6 v2 on the PATH is taken, and what is passed over is said', async () => {
  const old = await folderWith('k6', answers('0.57.0'));
  const broken = await folderWith('k6', ['exit 1']);
  const good = await folderWith('k6', answers('2.3.0-rc1'));
  const found = await findK6({ env: environment(['relative', old, broken, good]) });
  expect(found).toEqual({
    kind: 'found',
    k6: { path: join(good, 'k6'), version: '2.3.0-rc1', source: 'PATH' },
    notes: [
      `passed over ${join(old, 'k6')}: it is k6 v0.57.0, not v2`,
      `passed over ${join(broken, 'k6')}: "version" does not answer as k6 does`,
    ],
  });
});

test('without any, Go builds one into the cache, where it is found again', async () => {
  const go = await folderWith('go', goThatBuilds(answers(k6Version)));
  const env = environment([go], { SECRET: 'canary' });
  const progress: string[] = [];
  const built = await findK6({ env, onProgress: (text) => progress.push(text) });
  const path = join(cacheFolder({ env }), 'k6');
  expect(built).toMatchObject({ kind: 'found', k6: { path, version: k6Version, source: 'built' } });
  expect(await readdir(dirname(path))).toEqual(['k6']);
  expect(progress.map((text) => text.replace(`building k6 v${k6Version}, this once: `, ''))).toEqual([
    'finding out what there is to do',
    '1 packages to compile',
    expect.stringMatching(/^linking, \d+ s so far$/),
  ]);
  expect(await readFile(join(go, 'go.arguments'), 'utf8')).toMatch(
    /^build -v -trimpath -o \S+ go\.k6\.io\/k6\/v2$/m,
  );
  expect(await readFile(join(go, 'go.folder'), 'utf8')).toMatch(/load\/k6-build$/m);
  expect(await readFile(join(go, 'go.environment'), 'utf8')).toBe('0 -mod=readonly none\n');
  const again = await findK6({ env: { ...env, PATH: tools } });
  expect(again).toMatchObject({ kind: 'found', k6: { path, source: 'cache' } });
});

test('a broken k6 in the cache is built again', async () => {
  const go = await folderWith('go', goThatBuilds(answers(k6Version)));
  const env = environment([go]);
  await mkdir(cacheFolder({ env }), { recursive: true });
  await writeScript(join(cacheFolder({ env }), 'k6'), ['exit 1']);
  expect(await findK6({ env })).toMatchObject({ kind: 'found', k6: { source: 'built' } });
});

/** A k6 in the cache that would be taken, and a Go that builds another. */
async function cachedK6() {
  const go = await folderWith('go', goThatBuilds(answers(k6Version)));
  const env = environment([go]);
  const folder = cacheFolder({ env });
  await mkdir(folder, { recursive: true });
  await writeScript(join(folder, 'k6'), answers(k6Version));
  return { env, folder, path: join(folder, 'k6') };
}

test('a k6 in the cache that others can write to is not run: another is built', async () => {
  const { env, path } = await cachedK6();
  expect(await findK6({ env })).toMatchObject({ kind: 'found', k6: { source: 'cache' } });
  await chmod(path, 0o775);
  expect(await findK6({ env })).toMatchObject({
    kind: 'found',
    k6: { path, source: 'built' },
    notes: [`passed over ${path}: others can write to it`],
  });
  expect((await stat(path)).mode & 0o777).toBe(0o700);
});

test.each(['.', '..', '../..'])(
  'nothing is run from a cache or built into one whose folder %j others can write to',
  async (above) => {
    const { env, folder, path } = await cachedK6();
    await chmod(join(folder, above), 0o777);
    const found = await findK6({ env });
    expect(found).toMatchObject({ kind: 'missing', reason: expect.stringContaining(folder) });
    expect(found).toHaveProperty('howTo.0', expect.stringContaining('chmod go-w'));
    expect((await stat(path)).mode & 0o111).not.toBe(0);
  },
);

test('a cache of somebody else is not run', async () => {
  const { env, folder } = await cachedK6();
  const { uid: own } = await stat(folder);
  // The files of root are nobody else's to anybody.
  if (own === 0) await chown(folder, 65_534, 65_534);
  expect(await findK6({ env, uid: own === 0 ? own : own + 1 })).toMatchObject({ kind: 'missing' });
});

/** A Go that builds nothing before there is a file "asked" beside it. */
const goThatWaits = ['while [ ! -e "$0.asked" ]; do sleep 0.01; done'];

/** Two that need a build: the second one asks while the first one builds, which goes on once the second one says something. */
async function twoBuilds(go: string, env: Readonly<Record<string, string>>, isAborted = false) {
  const [first, second] = [new AbortController(), new AbortController()];
  const progress: string[] = [];
  let building: ReturnType<typeof findK6> | undefined;
  await new Promise<void>((resolve) => {
    building = findK6({ env, signal: first.signal, onProgress: () => resolve() });
  });
  const onProgress = (text: string): void => {
    progress.push(text);
    if (isAborted) second.abort();
    else writeFileSync(join(go, 'go.asked'), '');
  };
  const waited = await findK6({ env, signal: second.signal, onProgress });
  if (isAborted) first.abort();
  return { built: await building, waited, progress };
}

test('of two that need a build at once, one builds and the other waits for it', async () => {
  const go = await folderWith('go', [
    'echo "$1" >> "$0.calls"',
    ...goThatWaits,
    ...goThatBuilds(answers(k6Version)),
  ]);
  const env = environment([go]);
  const { built, waited, progress } = await twoBuilds(go, env);
  expect(built).toMatchObject({ kind: 'found', k6: { source: 'built' } });
  expect(waited).toEqual(built);
  expect(await readFile(join(go, 'go.calls'), 'utf8')).toBe('list\nbuild\n');
  expect(progress).toEqual([
    `building k6 v${k6Version}, this once: process ${process.pid} is at it already, waiting for that`,
  ]);
  expect(await readdir(cacheFolder({ env }))).toEqual(['k6']);
});

test('where the build that was waited for fails, the next one builds', async () => {
  const go = await folderWith('go', [
    ...goThatWaits,
    'if [ "$1" = list ]; then exit 1; fi',
    'if [ ! -e "$0.failed" ]; then echo > "$0.failed"; echo "go: the proxy is down" >&2; exit 1; fi',
    ...goThatBuilds(answers(k6Version)),
  ]);
  const { built, waited } = await twoBuilds(go, environment([go]));
  expect(built).toMatchObject({
    kind: 'missing',
    reason: 'k6 could not be built: go: the proxy is down',
  });
  expect(waited).toMatchObject({ kind: 'found', k6: { source: 'built' } });
});

test('an abort ends the wait for the build of another', async () => {
  const go = await folderWith('go', [...goThatWaits, 'exec sleep 60']);
  const env = environment([go]);
  const { built, waited } = await twoBuilds(go, env, true);
  expect(waited).toEqual({ kind: 'aborted' });
  expect(built).toEqual({ kind: 'aborted' });
  expect(await readdir(cacheFolder({ env }))).toEqual([]);
});

test('a build that was killed holds up nobody', async () => {
  const go = await folderWith('go', goThatBuilds(answers(k6Version)));
  const env = environment([go]);
  await mkdir(cacheFolder({ env }), { recursive: true });
  const gone = { pid: 2 ** 22 + 1, began: 'before this boot', at: '2026-01-01T00:00:00.000Z' };
  await writeFile(join(cacheFolder({ env }), '.k6.building'), JSON.stringify(gone));
  expect(await findK6({ env })).toMatchObject({ kind: 'found', k6: { source: 'built' } });
  expect(await readdir(cacheFolder({ env }))).toEqual(['k6']);
});

test('with neither k6 nor Go the ways to get one are named', async () => {
  const found = await findK6({ env: environment([]) });
  expect(found).toMatchObject({ kind: 'missing', reason: 'there is no k6 v2, and no Go to build one with' });
  expect(found).toHaveProperty('howTo.length', 3);
});

test('a build that fails says why and leaves nothing', async () => {
  const go = await folderWith('go', ['echo "go: no such module: proxy is down" >&2', 'exit 1']);
  const env = environment([go]);
  expect(await findK6({ env })).toMatchObject({
    kind: 'missing',
    reason: 'k6 could not be built: go: no such module: proxy is down',
  });
  expect(await readdir(cacheFolder({ env }))).toEqual([]);
});

test('an abort ends a build and leaves nothing', async () => {
  const go = await folderWith('go', [
    'if [ "$1" = list ]; then exit 1; fi',
    'for n in 0 1 2 3 4 5 6 7 8 9; do for m in 0 1 2 3 4 5 6 7 8 9; do echo "a.test/$n$m" >&2; done; done',
    'exec sleep 60',
  ]);
  const env = environment([go]);
  const abort = new AbortController();
  const finding = findK6({
    env,
    signal: abort.signal,
    onProgress: (text) => void (text.includes('100 packages') && abort.abort()),
  });
  expect(await finding).toEqual({ kind: 'aborted' });
  expect(await readdir(cacheFolder({ env }))).toEqual([]);
});

test('the cache is where XDG says, else in the home folder', () => {
  const name = `messaging-conformance/k6-v${k6Version}-${process.platform}-${process.arch}`;
  expect(cacheFolder({ env: { XDG_CACHE_HOME: '/c' } })).toBe(`/c/${name}`);
  expect(cacheFolder({ env: { XDG_CACHE_HOME: 'relative' }, home: '/h' })).toBe(`/h/.cache/${name}`);
  expect(cacheFolder({ env: {}, home: '/h' })).toBe(`/h/.cache/${name}`);
});

test('what pins the build is there', async () => {
  const folder = join(import.meta.dirname, '..', 'k6-build');
  expect(await readFile(join(folder, 'go.mod'), 'utf8')).toContain(`go.k6.io/k6/v2 v${k6Version}`);
  await access(join(folder, 'go.sum'));
});
