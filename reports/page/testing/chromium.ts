import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const howTo = 'Pages are tested in Chromium: apt-get install chromium, or set CHROMIUM_BIN to its path';

/**
 * Whether this machine has a Chromium. If it has none, writes to standard error what is left out.
 * @throws in CI without a Chromium: CI has to run everything.
 */
export function chromiumIsHere(): boolean {
  if (findChromium() !== null) return true;
  if ((process.env['CI'] ?? '') !== '') throw new Error(`${howTo}.`);
  process.stderr.write(`Tests in a browser are left out. ${howTo}.\n`);
  return false;
}

/** @throws where this machine has no Chromium; says how to get one. */
export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(`${howTo}.`);
  return chromium.launch({ executablePath });
}

function findChromium(): string | null {
  const given = process.env['CHROMIUM_BIN'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates =
    given === undefined ? names.flatMap((name) => folders.map((at) => join(at, name))) : [given];
  return candidates.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
