import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether Debian's wrk is installed: a load generator in C costs the servers least of the machine. */
export function isWrkInstalled(): Promise<boolean> {
  // It prints its version and ends with 1, because it was given no URL.
  return run('wrk', ['-v']).then(
    () => true,
    (error: { readonly code?: unknown }) => error.code !== 'ENOENT',
  );
}

/** Sends the same request with each key in turn. The texts are made once, so that sending them costs next to nothing. */
export async function writeScript(file: string, path: string, secrets: readonly string[]): Promise<void> {
  const lines = [
    'local requests, sent = {}, 0',
    'init = function(args)',
    ...secrets.map(
      (secret, index) =>
        `  requests[${index + 1}] = wrk.format("GET", "${path}", { Authorization = "Bearer ${secret}", Host = "127.0.0.1" })`,
    ),
    'end',
    'request = function()',
    `  sent = sent % ${secrets.length} + 1`,
    '  return requests[sent]',
    'end',
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
}

type Pressed = {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Answers that were neither 2xx nor 3xx. */
  readonly refused: number;
};

export type Pressing = {
  readonly url: string;
  readonly script: string;
  readonly connections: number;
  readonly seconds: number;
};

/** As many requests as the connections get answered, one after another on each. */
export async function press({ url, script, connections, seconds }: Pressing): Promise<Pressed> {
  const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', script, url];
  const { stdout } = await run('wrk', args, { timeout: (seconds + 30) * 1_000 });
  const errors = /Socket errors: .*/.exec(stdout);
  if (errors !== null) throw new Error(`wrk: ${errors[0]}`);
  return {
    requests: numberIn(stdout, /(\d+) requests in/),
    requestsPerSecond: numberIn(stdout, /Requests\/sec:\s+([\d.]+)/),
    refused: stdout.includes('Non-2xx') ? numberIn(stdout, /Non-2xx or 3xx responses: (\d+)/) : 0,
  };
}

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`wrk said nothing that matches ${pattern}: ${text.slice(0, 300)}`);
  return Number(found);
}
