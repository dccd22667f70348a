import { randomUUID } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exchange } from '../../../contract/exchange.ts';

/** What a fake k6 writes, and what it does at its end. */
export type FakeK6 = {
  readonly console?: readonly string[];
  /** k6's counters; left out: no summary is written. */
  readonly summary?: { readonly requests: number; readonly scriptErrors: number; readonly dropped?: number };
  /** Lines of `sh`, run after the files are written. */
  readonly ending: readonly string[];
};

/** Writes the fake into a folder of its own. There it also writes the `arguments`, the `environment` and the `keys` of its call. */
export async function writeFakeK6(
  parent: string,
  { console = [], summary, ending }: FakeK6,
): Promise<string> {
  const folder = join(parent, randomUUID());
  await mkdir(folder);
  const metrics = summary && {
    http_reqs: { count: summary.requests, rate: 1 },
    script_errors: { count: summary.scriptErrors, rate: 0 },
    ...(summary.dropped !== undefined && { dropped_iterations: { count: summary.dropped, rate: 0 } }),
  };
  await writeFile(join(folder, 'console'), console.map((line) => `${line}\n`).join(''));
  await writeFile(join(folder, 'summary'), JSON.stringify({ metrics }));
  return writeScript(join(folder, 'k6'), [
    `echo "$@" > '${folder}/arguments'`,
    `env > '${folder}/environment'`,
    `cat "$CONFORMANCE_LOAD_KEY_FILE" > '${folder}/keys'`,
    'while [ $# -gt 0 ]; do',
    '  case "$1" in --console-output) console=$2 ;; --summary-export) summary=$2 ;; esac',
    '  shift',
    'done',
    `cat '${folder}/console' >> "$console"`,
    summary === undefined ? ':' : `cat '${folder}/summary' > "$summary"`,
    ...ending,
  ]);
}

/** A line as a scenario writes it. */
export function exchangeLine(index: number, changes: Partial<Exchange> = {}): string {
  const exchange: Exchange = {
    kind: 'exchange',
    index,
    driver: 'k6',
    clock: 'k6-messages-burst',
    scope: 'messages',
    route: 'main',
    key: 'A',
    credential: 'valid',
    node: 0,
    purpose: 'burst',
    requestId: `run-messages-burst-${index}`,
    method: 'POST',
    path: '/v1/messages',
    sentMs: 1_000,
    receivedMs: 1_020,
    wallSentMs: null,
    wallReceivedMs: null,
    status: 200,
    headers: { limit: '300', remaining: '299', reset: '1060' },
    retryAfter: null,
    date: null,
    contentType: 'application/json',
    body: null,
    failure: null,
    outcome: 'admitted',
    ...changes,
  };
  return JSON.stringify(exchange);
}

/** Writes a program for `sh` and returns its path. */
export async function writeScript(path: string, lines: readonly string[]): Promise<string> {
  await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  await chmod(path, 0o755);
  return path;
}
