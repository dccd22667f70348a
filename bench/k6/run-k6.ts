import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

export type K6Run = {
  readonly k6: string;
  /** The text of the script. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
};

export type K6Measured = {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** The most memory that it held, bytes. */
  readonly memoryBytes: number;
  /** Those that k6 calls failed. */
  readonly failed: number;
  /** Lines of its console, and those of them that tell of an admitted request. */
  readonly lines: number;
  readonly admittedLines: number;
};

/** Runs a script as the load suite does, its console into a file that nobody reads meanwhile, and measures the run. */
export async function runK6({ k6, script, env }: K6Run): Promise<K6Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-bench-'));
  try {
    const at = (name: string): string => join(folder, name);
    await writeFile(at('script.js'), script);
    await writeFile(at('console'), '');
    const options = [
      '--quiet',
      '--no-color',
      '--no-usage-report',
      '--log-format',
      'raw',
      '--log-output',
      'none',
    ];
    const files = ['--console-output', at('console'), '--summary-export', at('summary')];
    const child = spawn(k6, ['run', ...options, ...files, at('script.js')], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
      stdio: 'ignore',
    });
    const memoryBytes = await peakMemory(child);
    const { metrics } = JSON.parse(await readFile(at('summary'), 'utf8')) as Summary;
    const console = await readFile(at('console'), 'utf8');
    return {
      requests: metrics.http_reqs.count,
      requestsPerSecond: metrics.http_reqs.rate,
      memoryBytes,
      failed: metrics.http_req_failed.passes,
      lines: console.split('\n').length - 1,
      admittedLines: console.split('"outcome":"admitted"').length - 1,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Summary = {
  readonly metrics: {
    readonly http_reqs: { readonly count: number; readonly rate: number };
    readonly http_req_failed: { readonly passes: number };
  };
};

const pollMs = 50;

/** Linux keeps the highest resident memory of a process until it ends. */
function peakMemory(child: ChildProcess): Promise<number> {
  let peakBytes = 0;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, highestBytes(child.pid));
  }, pollMs);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      clearInterval(timer);
      resolve(peakBytes);
    });
  });
}

function highestBytes(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
