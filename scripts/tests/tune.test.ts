import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { inProcess } from '../testing/in-process.ts';

const cwd = await temporaryFolder();
const small = ['--limit', '12', '--window', '6', '--clients', '4', '--runs', '5'];
const traces = join(import.meta.dirname, '..', '..', 'judge', 'testdata');

const found = {
  algorithm: 'sliding-log',
  limit: 30,
  windowSeconds: { value: 60, low: 59.9, high: 60.1 },
  phaseSeconds: null,
  granularitySeconds: null,
  rejectionsCount: false,
  perSecondCap: null,
  contradictions: 0,
  remarks: [],
  nearest: null,
  tied: [],
  requests: 90,
  seconds: 70,
};

const tune = (...args: readonly string[]) => inProcess(['tune', ...small, ...args], cwd);

describe('conformance tune', () => {
  it('names the best for what the client knows, beside what it does today, in 80 columns', async () => {
    const { code, stdout, stderr } = await inProcess(['tune', ...small, '--today', 'undici'], cwd);
    expect(code).toBe(0);
    expect(stdout).toContain('limiter  sliding-log, 12 in 6 s (as given)');
    expect(stdout).toContain('recommended: window mirror');
    expect(stdout).toMatch(/compared with .*\n +undici .* (sooner|later|more)/);
    expect(stdout).toMatch(/for libraries: retry-after \+ jitter, leastMs \d+/);
    expect(stderr).toMatch(/trying \d+ settings.*refining.*comparing.*done/s);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('writes JSON alone, the same each time, with configuration that holds the parameters', async () => {
    const [once, again] = await Promise.all([tune('--json'), tune('--json')]);
    expect(again?.stdout).toBe(once?.stdout);
    const result = JSON.parse(once?.stdout ?? '');
    const { leastMs, jitterMs } = result.forLibraries.parameters;
    expect(result.recommended.name).toBe('window mirror');
    expect(result.recommended.situations.cold).toMatchObject({ early: 0, lostJobs: 0 });
    const files = result.configurations.map(({ file }: { file: string }) => file);
    expect(files).toEqual(['paced', 'undici', 'got', 'ky', 'p-retry', 'cockatiel', 'aws-sdk']);
    const got = result.configurations.find(({ file }: { file: string }) => file === 'got').code;
    expect(got.replaceAll('_', '')).toContain(`{ leastMs: ${leastMs}, jitterMs: ${jitterMs}, `);
    const paced = result.configurations[0].code;
    expect(paced).toContain('const window = { limit: 12, windowSeconds: 6, share: 1 };');
    expect(paced).toContain("from './backoff/paced/paced.ts'");
  });

  it('recommends only what the client can know', async () => {
    const { stdout } = await tune('--knows', 'retry-after', '--json');
    const { ranking, configurations } = JSON.parse(stdout);
    const names = ranking.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('window mirror');
    expect(names).not.toContain('header gate');
    expect(configurations[0].file).toBe('undici');
  });

  it('prints the code that was simulated for each process, to the last place', async () => {
    const several = ['--limit', '10', '--window', '6', '--clients', '4', '--processes', '4', '--runs', '3'];
    const paced = async (...args: readonly string[]): Promise<string> =>
      JSON.parse((await inProcess(['tune', ...several, ...args, '--json'], cwd)).stdout).configurations[0]
        .code;
    expect(await paced()).toContain(
      'share: 0.25 };\n// In 2 of the 4 processes: share 3 / 10, so that no place is left over.',
    );
    expect(await paced('--store')).toContain(
      'share: 1 };\n// All 4 processes send through this one dispatcher.',
    );
    expect(await paced('--limit', '12')).toMatch(/share: 0\.25 \};\n\n/);
    expect(await paced('--limit', '3')).toContain(
      'share: 0.25 };\n// paced refuses such a share: 3 requests cannot be shared by 4 processes. Let 3 of them send, each with the share 1 / 3.',
    );
  });

  it('draws a page, and prints the configuration that is asked for', async () => {
    const { stdout } = await tune('--html', 'chart.html', '--for', 'got,ky');
    expect(stdout).toContain("import got from 'got';");
    expect(stdout).toContain("import ky from 'ky';");
    expect(stdout).not.toContain("from 'cockatiel'");
    expect(await readFile(join(cwd, 'chart.html'), 'utf8')).toContain('12 requests in 6 s');
  });

  it('takes the limiter from a trace', async () => {
    const trace = join(traces, 'fixed-window-first-request.ndjson');
    const flags = ['--scope', 'media', '--clients', '4', '--runs', '3', '--limiter', trace, '--json'];
    const { code, stdout } = await inProcess(['tune', ...flags], cwd);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).limiter).toMatchObject({ algorithm: 'fixed-window-first-request', limit: 30 });
  });
});

describe('savings', () => {
  it('count requests that are refused in vain: each 429 starts the block again, and the client never waits that long', async () => {
    const limiter = { ...found, algorithm: 'extend-on-reject', limit: 12 };
    await writeFile(join(cwd, 'block.json'), JSON.stringify(limiter));
    const flags = [
      '--limiter',
      'block.json',
      '--clients',
      '4',
      '--runs',
      '3',
      '--situations',
      'warm',
      '--json',
    ];
    const { savings, limiter: shown } = JSON.parse((await inProcess(['tune', ...flags], cwd)).stdout);
    expect(shown.from).toBe('as found in block.json');
    expect(savings).toHaveLength(1);
    expect(savings[0]).toMatchObject({ against: 'full-jitter', situation: 'warm', seconds: null });
    expect(savings[0].lostJobs).toBe(48);
    expect(savings[0].refusals).toBeGreaterThan(100);
  });
});

type Row = readonly [what: string, args: readonly string[], says: string];

const documented = (file: string) => join(import.meta.dirname, '..', '..', 'documents', 'examples', file);

describe('tune --document', () => {
  const few = ['--clients', '4', '--runs', '3', '--jobs', '60', '--json'];
  const examples = [
    ['token-bucket.yaml', 'token-bucket'],
    ['second-minute-day.yaml', 'sliding-log and sliding-log and sliding-log'],
    ['fixed-by-clock.yaml', 'fixed-window-wall-clock'],
    ['fixed-by-first-request.yaml', 'fixed-window-first-request'],
    ['costs.yaml', 'sliding-log'],
    ['busy.yaml', 'token-bucket'],
  ];

  it.each(examples)('%s: the mirror is never refused by what it promises', async (file, algorithm) => {
    const { code, stdout, stderr } = await inProcess(
      ['tune', '--document', documented(file), '--situations', 'cold', ...few],
      cwd,
    );
    expect([code, stderr.includes('done')]).toEqual([0, true]);
    const { limiter, ranking, configurations } = JSON.parse(stdout);
    expect(limiter.algorithm).toBe(algorithm);
    expect(configurations[0].code.includes("limit: window.limit, kind: 'token-bucket'")).toBe(
      algorithm === 'token-bucket',
    );
    const mirror = ranking.find(({ name }: { name: string }) => name === 'window mirror');
    expect(mirror.situations.cold).toMatchObject({ early: 0, lostJobs: 0 });
    expect(mirror.situations.cold.wasted.value).toBe(0);
  });
});

const rows: readonly Row[] = [
  ['no clients', ['--clients', '0'], 'It must be a whole number from 1 to 10000'],
  ['too many clients', ['--clients', '1000000000'], 'from 1 to 10000: a larger crowd is as good as'],
  ['a method that is none', ['--method', 'PSOT'], 'Allowed choices are GET, HEAD, POST'],
  ['a limit of 0', ['--limit', '0'], 'It must be a whole number from 1 to 9999999.'],
  [
    'a latency whose tail is above the window',
    ['--latency', '70s'],
    '140000 ms (twice the other, where it is not given), is not shorter than the window, 60000 ms',
  ],
  ['a tail as long as the window', ['--latency', '1s,60s'], '60000 ms, is not shorter than the window'],
  ['a latency that is none', ['--latency', 'soon'], 'Give a time above 0, e.g. 24ms'],
  ['a tail before the median', ['--latency', '80ms,24ms'], 'give the median first'],
  [
    'an unknown library',
    ['--today', 'undiki'],
    'There is no library or strategy "undiki"; did you mean undici?',
  ],
  ['an unknown situation', ['--situations', 'wram'], 'There is no situation "wram"; did you mean warm'],
  ['configuration for nobody', ['--for', 'gott'], 'There is no configuration for "gott"; did you mean got?'],
  [
    'more processes than clients',
    ['--clients', '2', '--processes', '3'],
    'each process has at least one client',
  ],
  ['too many jobs', ['--jobs', '1e12'], 'It must be a whole number from 1 to 100000: figures'],
  ['no such limiter', ['--limiter', 'nowhere.json'], '--limiter cannot be read'],
  [
    'a limiter that is no JSON',
    ['--limiter', 'text'],
    'is neither a trace nor what "identify --json" writes',
  ],
  [
    'a limiter of another shape',
    ['--limiter', 'other.json'],
    'is not what "identify --json" writes: algorithm is missing',
  ],
  [
    'a scope that the document has not',
    ['--document', documented('search.yaml'), '--scope', 'serach'],
    'there is no such scope; did you mean search? Scopes: search, uploads, rest.',
  ],
  ['a scope that is not documented', ['--scope', 'mesages'], 'did you mean messages?'],
  [
    'headers that the document has not',
    ['--document', documented('bare.yaml'), '--knows', 'headers'],
    'the document promises no headers',
  ],
  [
    'a limiter and a document',
    ['--limiter', 'found.json', '--document', documented('bare.yaml')],
    'not by both',
  ],
  ['a limiter and a limit', ['--limiter', 'found.json', '--limit', '5'], 'leave out --limit and --window'],
  ['a limiter that nobody knows', ['--limiter', 'unknown.json'], 'says that the limiter is not identified'],
  ['a page nowhere', [...small, '--runs', '3', '--html', 'no/where.html'], '--html cannot be written'],
];

describe('unusable input of tune', () => {
  it.each(rows)('%s: exit 2, and a sentence', async (_what, args, says) => {
    await writeFile(join(cwd, 'text'), 'a limiter');
    await writeFile(join(cwd, 'other.json'), '{"limit":3}');
    await writeFile(join(cwd, 'found.json'), JSON.stringify(found));
    const unknown = { ...found, algorithm: 'unidentified', limit: null, windowSeconds: null };
    await writeFile(join(cwd, 'unknown.json'), JSON.stringify(unknown));
    const { code, stdout, stderr } = await inProcess(['tune', ...args], cwd);
    expect(stderr).toContain(says);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
  });
});
