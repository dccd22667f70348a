import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { searchedEnv } from '../../proof/programs/server-program.ts';
import { NotAvailable } from './peer.ts';

/** How each program says its version, or who says it of a library, and the packages of Debian that bring it. */
const programs = {
  nginx: { asks: ['nginx', '-v'], pattern: /nginx\/(\S+)/, packages: 'nginx-light' },
  haproxy: { asks: ['haproxy', '-v'], pattern: /version (\d[\d.]*)/, packages: 'haproxy' },
  varnishd: { asks: ['varnishd', '-V'], pattern: /varnish-(\d[\d.]*)/, packages: 'varnish varnish-modules' },
  apache2: {
    asks: ['apache2', '-v'],
    pattern: /Apache\/(\S+)/,
    packages: 'apache2 libapache2-mod-evasive',
  },
  'redis-server': { asks: ['redis-server', '--version'], pattern: /v=(\S+)/, packages: 'redis-server' },
  'php-illuminate-routing': library(
    'php-illuminate-routing',
    'php-cli php-illuminate-cache php-illuminate-filesystem php-illuminate-http',
  ),
  'ruby-rack-attack': library('ruby-rack-attack', 'puma ruby-activesupport'),
  'php-symfony-rate-limiter': library(
    'php-symfony-rate-limiter',
    'php-cli php-symfony-cache php-symfony-lock',
  ),
} as const;

function library(name: string, others: string) {
  const asks = ['dpkg-query', '--status', name] as const;
  return { asks, pattern: /^Version: (\d[\d.]*)/m, packages: `${name} ${others}` };
}

export type DebianProgram = keyof typeof programs;

/** The version that is installed. @throws {NotAvailable} that says how to get it. */
export async function debianVersion(program: DebianProgram): Promise<string> {
  const { asks, pattern, packages } = programs[program];
  const [command, ...args] = asks;
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, {
      env: searchedEnv,
      timeout: 5_000,
    });
    return pattern.exec(`${stdout}${stderr}`)?.[1] ?? 'unknown';
  } catch {
    throw new NotAvailable(`${program} is not installed: apt-get install ${packages}`);
  }
}
