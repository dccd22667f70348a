import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Where an importing file stands, and what it may import. Everything that is not named is shut. */
type Door = {
  readonly files: readonly string[];
  readonly rooms: readonly string[];
  /** `any`: every package and all of Node. */
  readonly packages: readonly string[] | 'any';
  /** Paths inside the own room that are shut all the same. */
  readonly shut?: readonly string[];
  /** Files of other rooms that are shut although the room is open. */
  readonly shutPaths?: readonly string[];
  /** Files of other rooms that are open although the room is shut. */
  readonly openPaths?: readonly string[];
  /** Packages that are shut although all others are open. */
  readonly shutPackages?: readonly string[];
};

const rooms = [
  'contract',
  'limiters',
  'judge',
  'service',
  'checks',
  'load',
  'backoff',
  'reports',
  'run',
  'proof',
  'scripts',
  'bench',
] as const;

const seededPackages = [
  'zod',
  'zod/mini',
  'structured-headers',
  'undici',
  '@fastify/multipart',
  'vitest',
  'fast-check',
  'k6',
  'k6/http',
  'commander',
  'listr2',
  '@observablehq/plot',
];
const seededBuiltins = ['node:fs', 'node:fs/promises', 'node:crypto', 'fs', 'process'];
const tested = ['vitest', 'fast-check'];

/** Every room that production code may use but the outermost three. */
const inner = ['contract', 'limiters', 'judge', 'service', 'checks', 'load', 'backoff', 'reports'];

const doors: readonly Door[] = [
  { files: ['contract/x.ts', 'contract/deep/x.ts'], rooms: ['contract'], packages: ['zod'] },
  {
    files: ['contract/x.test.ts', 'contract/deep/x.test.ts', 'contract/testing/x.ts'],
    rooms: ['contract'],
    packages: ['zod', ...tested],
  },
  { files: ['contract/webhooks/x.ts'], rooms: ['contract'], packages: ['zod'] },
  {
    files: ['contract/webhooks/signature.ts', 'contract/text-groups.ts'],
    rooms: ['contract'],
    packages: ['node:crypto'],
  },
  {
    files: ['contract/body-schema/library.ts'],
    rooms: ['contract'],
    packages: ['@cfworker/json-schema', 'node:module'],
  },
  { files: ['contract/ietf-fields.ts'], rooms: ['contract'], packages: ['structured-headers'] },
  { files: ['limiters/x.ts', 'limiters/deep/x.ts'], rooms: ['limiters', 'contract'], packages: [] },
  {
    files: ['limiters/x.test.ts', 'limiters/deep/x.test.ts', 'limiters/testing/x.ts'],
    rooms: ['limiters', 'contract'],
    packages: tested,
  },
  {
    files: ['judge/x.ts', 'judge/deep/x.ts', 'judge/deep/deeper/x.ts'],
    rooms: ['judge', 'contract'],
    packages: [],
  },
  {
    files: ['judge/x.test.ts', 'judge/deep/x.test.ts', 'judge/testing/x.ts'],
    rooms: ['judge', 'contract'],
    packages: tested,
  },
  {
    files: ['judge/webhooks/x.ts', 'judge/webhooks/deep/x.ts'],
    rooms: ['judge', 'contract'],
    packages: ['node:crypto'],
    shutPaths: ['contract/webhooks/signature.ts'],
  },
  {
    files: ['judge/webhooks/x.test.ts', 'judge/webhooks/testing/x.ts'],
    rooms: ['judge', 'contract'],
    packages: ['node:crypto', ...tested],
  },
  { files: ['judge/identify/x.ts'], rooms: ['judge', 'contract', 'limiters'], packages: [] },
  {
    files: ['judge/identify/x.test.ts', 'judge/identify/testing/x.ts'],
    rooms: ['judge', 'contract', 'limiters'],
    packages: tested,
  },
  {
    files: ['service/x.ts', 'service/deep/x.ts', 'service/x.test.ts'],
    rooms: ['service', 'contract', 'limiters'],
    packages: 'any',
  },
  {
    files: ['checks/x.ts', 'checks/webhooks/x.ts', 'checks/x.check.ts', 'checks/x.test.ts'],
    rooms: ['checks', 'contract'],
    packages: 'any',
  },
  { files: ['checks/identify/x.ts'], rooms: ['checks', 'contract', 'judge'], packages: 'any' },
  {
    files: ['load/runner/x.ts', 'load/runner/deep/x.ts', 'load/x.test.ts', 'load/k6/x.test.ts'],
    rooms: ['load', 'contract', 'limiters', 'backoff'],
    packages: 'any',
  },
  {
    files: ['load/runner/build-turn.ts'],
    rooms: ['load', 'contract', 'limiters', 'backoff'],
    packages: 'any',
    openPaths: ['service/process-lock.ts'],
  },
  {
    files: ['load/x.ts', 'load/plan/x.ts', 'load/plan/deep/x.ts'],
    rooms: ['load', 'contract', 'limiters', 'backoff'],
    packages: [],
    shut: ['runner', 'k6'],
  },
  {
    files: ['load/k6/x.ts', 'load/k6/deep/x.ts'],
    rooms: ['load', 'contract', 'limiters', 'backoff'],
    packages: ['k6', 'k6/http'],
    shut: ['runner'],
    shutPaths: ['backoff/paced/x.ts'],
  },
  {
    files: ['backoff/x.ts', 'backoff/deep/x.ts'],
    rooms: ['backoff', 'contract', 'limiters'],
    packages: [],
  },
  {
    files: ['backoff/paced/x.ts', 'backoff/paced/deep/x.ts'],
    rooms: ['backoff', 'contract', 'limiters'],
    packages: ['undici', 'node:zlib'],
  },
  {
    files: ['backoff/configurations/x.ts', 'backoff/x.test.ts', 'backoff/testing/x.ts'],
    rooms: ['backoff', 'contract', 'limiters'],
    packages: 'any',
  },
  { files: ['reports/x.ts', 'reports/deep/x.ts'], rooms: ['reports', 'contract'], packages: 'any' },
  {
    files: ['reports/page/client/x.ts', 'reports/page/client/deep/x.ts'],
    rooms: ['reports', 'contract'],
    packages: ['@observablehq/plot'],
  },
  {
    files: ['run/x.ts', 'run/deep/x.ts'],
    rooms: ['run', ...inner],
    packages: 'any',
    shutPackages: ['commander', 'listr2'],
  },
  { files: ['run/x.test.ts', 'run/deep/x.test.ts'], rooms: ['run', ...inner], packages: 'any' },
  {
    files: ['proof/x.ts', 'proof/deep/x.ts', 'proof/x.test.ts'],
    rooms: ['proof', 'run', ...inner],
    packages: 'any',
  },
  {
    files: ['scripts/x.ts', 'scripts/deep/x.ts', 'scripts/x.test.ts'],
    rooms: rooms.filter((room) => room !== 'bench'),
    packages: 'any',
  },
  {
    files: ['bench/x.ts', 'bench/deep/x.ts'],
    rooms: rooms.filter((room) => room !== 'scripts'),
    packages: 'any',
  },
  {
    files: ['conformance.config.ts', 'vitest.config.ts'],
    rooms: rooms.filter((room) => room !== 'scripts' && room !== 'bench'),
    packages: 'any',
  },
];

type Seed = { readonly specifier: string; readonly open: boolean };

/** Every import that is tried from one file, in the order of its lines. */
function seedsOf(door: Door, file: string): readonly Seed[] {
  const [own, ...folders] = file.split('/').slice(0, -1);
  const up = own === undefined ? './' : '../'.repeat(folders.length + 1);
  const inside = '../'.repeat(folders.length) || './';
  const isOpen = (name: string): boolean =>
    (door.packages === 'any' || door.packages.includes(name)) && door.shutPackages?.includes(name) !== true;
  return [
    ...rooms
      .filter((room) => room !== own)
      .flatMap((room) =>
        [`${up}${room}/x.ts`, `${up}${room}/deep/x.ts`].map((specifier) => ({ specifier, room })),
      )
      .map(({ specifier, room }) => ({ specifier, open: door.rooms.includes(room) })),
    ...[...seededPackages, ...seededBuiltins].map((name) => ({ specifier: name, open: isOpen(name) })),
    { specifier: './beside.ts', open: true },
    { specifier: `${inside}deep/x.ts`, open: true },
    ...(door.openPaths ?? []).map((path) => ({ specifier: `${up}${path}`, open: true })),
    ...(door.shutPaths ?? []).map((path) => ({ specifier: `${up}${path}`, open: false })),
    ...(door.shut ?? []).map((folder) => ({ specifier: `${inside}${folder}/x.ts`, open: false })),
    { specifier: './testing/x.ts', open: isForTests(file) },
    { specifier: `${up}testing/x.ts`, open: isForTests(file) },
  ];
}

/** Tests, what they share, their settings, and benchmarks may use what is made for tests; what people run may not. */
function isForTests(file: string): boolean {
  return /\.test\.ts$|\/testing\/|^bench\/|^vitest\.config\.ts$/.test(file);
}

/** Every way to write an import that is shut. */
const forms = [
  `import '../service/x.ts';`,
  `import { x } from '../service/x.ts';`,
  `import type { X } from '../service/x.ts';`,
  `export { x } from '../service/x.ts';`,
  `export const x = await import('../service/x.ts');`,
  `import './../service/x.ts';`,
  `import '../judge/../service/x.ts';`,
];

/** What a pure room may not call; `true` where it may. */
const clocks: readonly (readonly [code: string, open: boolean])[] = [
  ['Date.now()', false],
  ['[1].map(Date.now)', false],
  ['new Date()', false],
  ['Math.random()', false],
  ['performance.now()', false],
  ['process.hrtime()', false],
  ['crypto.randomUUID()', false],
  ['setTimeout(String, 1)', false],
  ["fetch('x')", false],
  ["Date.parse('x')", true],
  ['new Date(0)', true],
  ['Math.max(0, 1)', true],
];
const pureFiles = [
  'contract/clock.ts',
  'limiters/clock.ts',
  'judge/clock.ts',
  'load/clock.ts',
  'load/plan/clock.ts',
  'backoff/clock.ts',
  'backoff/pacer/clock.ts',
];
const impureFiles = ['checks/clock.ts', 'service/clock.ts', 'load/runner/clock.ts', 'backoff/paced/clock.ts'];

/** How the greatest and the least are asked of the requests of a trace; `true` where it may be. */
const extremes: readonly (readonly [code: string, open: boolean])[] = [
  ['Math.max(...[1, 2])', false],
  ['Math.min(...[1, 2])', false],
  ['[[1, 2]].map((values) => Math.max(0, ...values))', false],
  ['Math.max(1, 2)', true],
  ['Math.max(0, [...[1, 2]].length)', true],
];
const filesOfTraces = ['contract/extreme.ts', 'judge/deep/extreme.ts', 'checks/extreme.ts'];
const filesOfFew = [
  'service/extreme.ts',
  'load/extreme.ts',
  'judge/extreme.test.ts',
  'judge/testing/extreme.ts',
];

/** What k6 lacks, and its ambient types have for the sake of contract/. */
const k6Files = ['load/k6/globals.ts', 'load/k6/deep/globals.ts'];

const cases = doors.flatMap((door) => door.files.map((file) => ({ file, seeds: seedsOf(door, file) })));
const importRule = 'lint/style/noRestrictedImports';
const clockRules = ['lint/style/noRestrictedGlobals', 'lint/nursery/noJsRestrictedProperties', 'plugin'];
const repository = join(import.meta.dirname, '..', '..');

let folder: string;
/** What Biome said: `rule file:line`. */
let reported: ReadonlySet<string>;

const isReported = (rules: readonly string[], file: string, line: number): boolean =>
  rules.some((rule) => reported.has(`${rule} ${file}:${line}`));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doors-'));
  for (const name of ['biome.json', 'biome.doors.json', 'no-clock.grit', 'no-spread.grit']) {
    await copyFile(join(repository, name), join(folder, name));
  }
  const clockLines = clocks.map(([code], index) => `export const c${index} = ${code};`);
  const extremeLines = extremes.map(([code], index) => `export const e${index} = ${code};`);
  const files: readonly (readonly [file: string, lines: readonly string[]])[] = [
    ...cases.map(
      ({ file, seeds }) => [file, seeds.map(({ specifier }) => `import '${specifier}';`)] as const,
    ),
    ['judge/forms.ts', forms],
    ...k6Files.map((file) => [file, ["export const url = new URL('http://x');"]] as const),
    ...[...pureFiles, ...impureFiles].map((file) => [file, clockLines] as const),
    ...[...filesOfTraces, ...filesOfFew].map((file) => [file, extremeLines] as const),
  ];
  for (const [file, lines] of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${lines.join('\n')}\n`);
  }
  reported = await lint(folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function lint(cwd: string): Promise<ReadonlySet<string>> {
  const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome');
  const flags = ['--vcs-enabled=false', '--max-diagnostics=none', '--reporter=json'];
  const run = promisify(execFile)(process.execPath, [biome, 'lint', ...flags], {
    cwd,
    maxBuffer: 64 * 1024 * 1024,
  });
  // Biome exits with 1 here: every seeded violation is an error.
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  if (!stdout.startsWith('{')) throw new Error(`Biome gave no report: ${stderr}`);
  const report = JSON.parse(stdout) as { readonly diagnostics: readonly Diagnostic[] };
  return new Set(
    report.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ category, location }) => `${category} ${location.path}:${location.start?.line}`),
  );
}

type Diagnostic = {
  readonly category: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly start?: { readonly line: number } };
};

test.each(cases)('$file opens its own doors only', ({ file, seeds }) => {
  const shut = seeds.filter(({ open }) => !open).map(({ specifier }) => specifier);
  const caught = seeds.filter((_seed, index) => isReported([importRule], file, index + 1));
  expect(caught.map(({ specifier }) => specifier)).toEqual(shut);
});

test('a shut door is shut to every form of import', () => {
  expect(forms.filter((_form, index) => !isReported([importRule], 'judge/forms.ts', index + 1))).toEqual([]);
});

test.each(pureFiles)('%s reads no clock', (file) => {
  const shut = clocks.filter(([_code, open]) => !open).map(([code]) => code);
  const caught = clocks.filter((_clock, index) => isReported(clockRules, file, index + 1));
  expect(caught.map(([code]) => code)).toEqual(shut);
});

test.each(impureFiles)('%s may read clocks', (file) => {
  expect(clocks.filter((_clock, index) => isReported(clockRules, file, index + 1))).toEqual([]);
});

test.each(filesOfTraces)('%s asks for extremes of any number of values', (file) => {
  const shut = extremes.filter(([_code, open]) => !open).map(([code]) => code);
  const caught = extremes.filter((_extreme, index) => isReported(['plugin'], file, index + 1));
  expect(caught.map(([code]) => code)).toEqual(shut);
});

test.each(filesOfFew)('%s may ask for those of a few', (file) => {
  expect(extremes.filter((_extreme, index) => isReported(['plugin'], file, index + 1))).toEqual([]);
});

test.each(k6Files)('%s has no URL', (file) => {
  expect(isReported(['lint/style/noRestrictedGlobals'], file, 1)).toBe(true);
});
