import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { searchedEnv } from '../../proof/programs/server-program.ts';
import { NotAvailable } from './peer.ts';

/** How each program says its version, and the package of Debian that brings it. */
const programs = {
  nginx: { flag: '-v', pattern: /nginx\/(\S+)/, packages: 'nginx-light' },
  haproxy: { flag: '-v', pattern: /version (\d[\d.]*)/, packages: 'haproxy' },
  varnishd: { flag: '-V', pattern: /varnish-(\d[\d.]*)/, packages: 'varnish varnish-modules' },
  apache2: { flag: '-v', pattern: /Apache\/(\S+)/, packages: 'apache2 libapache2-mod-evasive' },
  'redis-server': { flag: '--version', pattern: /v=(\S+)/, packages: 'redis-server' },
} as const;

export type DebianProgram = keyof typeof programs;

/** The version that is installed. @throws {NotAvailable} that says how to get it. */
export async function debianVersion(program: DebianProgram): Promise<string> {
  const { flag, pattern, packages } = programs[program];
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [flag], {
      env: searchedEnv,
      timeout: 5_000,
    });
    return pattern.exec(`${stdout}${stderr}`)?.[1] ?? 'unknown';
  } catch {
    throw new NotAvailable(`${program} is not installed: apt-get install ${packages}`);
  }
}
