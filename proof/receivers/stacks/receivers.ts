#!/usr/bin/env node
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { messageOf } from '../../../contract/thrown.ts';
import { type DriveReport, driveReportSchema } from '../../../reports/drive/drive-result.ts';
import { freePort } from '../../programs/ports.ts';
import { searchedEnv, startServer } from '../../programs/server-program.ts';
import { type Stack, secret, stacks, type Variant } from './stacks.ts';

/**
 * `npm run receivers`: drives receivers on stacks that others wrote, right ones and typically wrong ones. A right one must
 * not be blamed for anything that decides, a wrong one for its mistake alone.
 */
const conformance = fileURLToPath(new URL('../../../scripts/conformance.js', import.meta.url));
const driveMsMax = 180_000;

const only = process.argv.slice(2);
const chosen = stacks.filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text)));
const results: Examined[] = [];
let leftOut = 0;
for (const stack of chosen) {
  const missing = (await stack.missing?.()) ?? null;
  if (missing !== null) {
    leftOut += 1;
    console.log(`${stack.name}: LEFT OUT: ${missing}`);
    continue;
  }
  for (const variant of ['right', stack.wrong] as const) {
    const result = await examined(stack, variant);
    results.push(result);
    console.log(result.text);
  }
}
const wrong = results.filter(({ isAsExpected }) => !isAsExpected).length;
const falselyBlamed = results.reduce((sum, { blamedFalsely }) => sum + blamedFalsely, 0);
console.log(
  `${chosen.length - leftOut} stacks, ${results.length} receivers: ${falselyBlamed} false accusations, ${wrong} not as expected, ${leftOut} stacks left out`,
);
process.exitCode = wrong === 0 && results.length > 0 ? 0 : 1;

type Examined = { readonly text: string; readonly isAsExpected: boolean; readonly blamedFalsely: number };

async function examined(stack: Stack, variant: Variant): Promise<Examined> {
  const name = `${stack.name}, ${variant}`;
  try {
    return compared(stack, variant, await driven(stack, variant));
  } catch (error) {
    const why = messageOf(error).split('\n', 1)[0];
    return { text: `${name}: NOT RUN: ${why}`, isAsExpected: false, blamedFalsely: 0 };
  }
}

function compared(stack: Stack, variant: Variant, { cases, counts }: DriveReport): Examined {
  const failed = cases.filter(({ level, verdict }) => level === 'must' && verdict.kind === 'violated');
  const expected = variant === 'right' ? [] : stack.fails;
  const ids = failed.map(({ id }) => id);
  const blamedFalsely = ids.filter((id) => !expected.includes(id)).length;
  const likely = failed.map(({ verdict }) => (verdict.kind === 'violated' ? verdict.likely : '')).join('; ');
  const isNamed = variant === 'right' || stack.says === undefined || likely.includes(stack.says);
  const isOpen = variant === 'right' && counts.open > 0;
  const isAsExpected = blamedFalsely === 0 && expected.every((id) => ids.includes(id)) && isNamed && !isOpen;
  const short = cases.filter(({ level, verdict }) => level === 'should' && verdict.kind === 'violated');
  const parts = [
    `${counts.passed} passed`,
    ...(ids.length === 0 ? [] : [`failed ${ids.join(', ')}`]),
    ...(short.length === 0 ? [] : [`shortcomings ${short.map(({ id }) => id).join(', ')}`]),
    ...(counts.open === 0 ? [] : [`${counts.open} open`]),
  ];
  return {
    text: `${stack.name}, ${variant}: ${isAsExpected ? '' : 'NOT AS EXPECTED: '}${parts.join('; ')}`,
    isAsExpected,
    blamedFalsely,
  };
}

async function driven(stack: Stack, variant: Variant): Promise<DriveReport> {
  const port = await freePort();
  const { command, args, env, path } = await stack.programOf(variant, port);
  const server = await startServer({ command, args, port, env: { ...searchedEnv, HOOK: secret, ...env } });
  try {
    const out = await mkdtemp(join(tmpdir(), 'receivers-'));
    const flags = ['--secret-env', 'HOOK', '--burst-seconds', '2', '--budget', '10', '--out', out, '--json'];
    const drive = promisify(execFile)(
      process.execPath,
      [conformance, 'webhooks', 'drive', '--to', `${server.url}${path}`, ...flags],
      { env: { ...process.env, HOOK: secret }, timeout: driveMsMax, maxBuffer: 2 ** 26 },
    );
    // Whatever the verdict, the report is on standard output.
    const { stdout } = await drive.catch((error: { stdout: string }) => error);
    return driveReportSchema.parse(JSON.parse(stdout));
  } finally {
    await server.close();
  }
}
