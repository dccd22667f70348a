import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @throws where this machine has no Chromium; says how to get one. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium() });
}

async function findChromium(): Promise<string> {
  const given = process.env['CHROMIUM_BIN'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates =
    given === undefined ? names.flatMap((name) => folders.map((at) => join(at, name))) : [given];
  for (const path of candidates) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error('Pages are tested in Chromium: apt-get install chromium, or set CHROMIUM_BIN to its path.');
}
