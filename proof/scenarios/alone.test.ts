/** Every load scenario as a script of the package, by a k6 that runs alone: its trace is whole, and judged as it is. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, type TestContext, test } from 'vitest';
import { documentedLimits } from '../../contract/scopes.ts';
import { parseTrace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { k6BeforeAll } from '../../load/runner/testing/k6-before-all.ts';
import { startService } from '../../service/server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const k6For = k6BeforeAll();
const scripts = join(import.meta.dirname, '../../load/k6/alone');
const windowSecondsUsual = 3;
const slow = { timeout: 120_000, retry: 2 };

type Alone = {
  readonly scenario: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly faults?: readonly string[];
  readonly nodes?: number;
  /** Longer where a burst has to end well within it, however slow the machine is. */
  readonly windowSeconds?: number;
};

/** The script as it stands in a checkout: k6 strips the types. */
async function alone(context: TestContext, played: Alone) {
  const { scenario, env = {}, faults = [], nodes = 1, windowSeconds = windowSecondsUsual } = played;
  const k6 = k6For(context);
  const folder = await temporaryFolder();
  const keys = Array.from({ length: 30 }, (_, at) => `secret-key-${at}`);
  const service = await startService({
    windowMs: windowSeconds * 1_000,
    limits: documentedLimits,
    keys: new Map(keys.map((key) => [key, key])),
    faults,
    nodes,
  });
  const console = join(folder, 'trace.ndjson');
  const options = ['run', '--quiet', '--no-usage-report', '--console-output', console, '--log-format', 'raw'];
  const own = { PATH: process.env['PATH'], HOME: folder, TMPDIR: tmpdir(), REQUESTS: 'reference' };
  // It lives for seconds, many of which Go would spend on collecting what its clients leave behind.
  const memory = { GOGC: '400' };
  const given = { BASE_URL: service.urls.join(','), WINDOW_SECONDS: String(windowSeconds) };
  const theirs =
    scenario === 'many-keys' ? { KEYS: keys.join(' ') } : { API_KEY: keys[0], API_KEY_B: keys[1] };
  const said = await new Promise<{ readonly code: number; readonly stdout: string }>((resolve) => {
    execFile(
      k6.path,
      [...options, join(scripts, `${scenario}.ts`)],
      { env: { ...own, ...memory, ...given, ...theirs, WINDOWS: '1', ...env } },
      (error, stdout) => resolve({ code: error === null ? 0 : Number(error.code), stdout }),
    );
  });
  await service.close();
  const text = await readFile(console, 'utf8');
  expect(text).not.toContain('secret-key');
  const trace = parseTrace(text.trimEnd().split('\n'));
  const { clauses } = judgeTrace(trace);
  const verdict = clauses.find(({ clause }) => clause === `load.${scenario}`)?.verdict;
  return { ...said, trace, verdict, violated: clauses.filter((one) => one.verdict.kind === 'violated') };
}

test.concurrent.for(['messages-burst', 'media-burst', 'rolling-window', 'mixed-scopes', 'many-keys'])(
  '%s runs alone, whole, and violates nothing',
  slow,
  (scenario, context) => runsWhole(context, scenario),
);

// One after another: what the start of another k6 holds up comes at once afterwards, and is too much for a stream.
test.for(['over-pressure', 'sustained', 'noisy-neighbour'])(
  '%s runs alone, whole, and violates nothing',
  slow,
  (scenario, context) => runsWhole(context, scenario),
);

async function runsWhole(context: TestContext, scenario: string): Promise<void> {
  const { code, stdout, trace, violated } = await alone(context, { scenario });
  const [load] = trace.loads;
  // Where a machine is too slow for a stream, the trace says so.
  const isTooSlow = /^k6 (left out|sent) /.test(load?.reason ?? '');
  expect(load).toMatchObject(
    isTooSlow ? { state: 'incomplete' } : { scenario, state: 'complete', reason: null },
  );
  expect(violated).toEqual([]);
  if (!isTooSlow) expect(code, stdout).toBe(0);
  expect(stdout).toContain('npx conformance judge --allow-partial trace.ndjson');
}

test('nodes runs alone against several addresses', slow, async (context) => {
  const { code, verdict } = await alone(context, { scenario: 'nodes', nodes: 2, windowSeconds: 60 });
  expect([code, verdict]).toMatchObject([0, { kind: 'held' }]);
});

/** More than a limit within one window, in lanes that any machine is quick enough for. */
test.for<[string, Alone, string]>([
  ['check-then-add', { scenario: 'messages-burst', env: { VUS: '60' } }, 'burst'],
  ['limit-plus-one', { scenario: 'media-burst' }, 'burst'],
  ['fixed-window', { scenario: 'rolling-window' }, 'waves_messages'],
  ['window-per-node', { scenario: 'nodes', nodes: 2 }, 'in_turn'],
])('%s crosses the count of a lane, and is violated', slow, async ([fault, played, lane], context) => {
  const { code, stdout, violated } = await alone(context, { ...played, faults: [fault] });
  expect(stdout).toContain(`  admitted{scenario:${lane},within:window}: count<=`);
  expect(code).toBe(99);
  expect(violated.map(({ clause }) => clause)).toContain(`load.${played.scenario}`);
});
