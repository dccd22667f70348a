import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  limitedPath,
  NotAvailable,
  type Peer,
  plainRequest,
  type Rule,
  type Served,
  successBody,
} from '../peer.ts';
import { freePort, isListening } from '../ports.ts';

/** Arguments of `limit_req` besides the zone, and of `limit_req_status`, which is 503 where nothing is said. */
type Setting = { readonly burst?: number; readonly nodelay?: true; readonly status?: 429 };

/** nginx's `limit_req`, which reckons a rate in thousandths of a request a second (`ngx_http_limit_req_lookup`). */
export function nginxLimitReq(setting: Setting): Peer {
  const { burst, nodelay, status } = setting;
  const words = [
    burst === undefined ? 'no burst' : `burst=${burst}`,
    ...(nodelay === true ? ['nodelay'] : []),
    ...(status === undefined ? [] : [`status ${status}`]),
  ];
  return {
    library: 'nginx limit_req',
    setting: words.join(', '),
    version: nginxVersion,
    // A bucket whose burst is the whole limit of a window is both: a token bucket seen from below.
    expected: ['leaky-bucket', 'token-bucket'],
    refusal: status ?? 503,
    request: plainRequest,
    start: ({ rule }) => startNginx(rule, setting),
  };
}

/** Debian keeps nginx where only root looks. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin` };

async function nginxVersion(): Promise<string> {
  try {
    const { stderr } = await promisify(execFile)('nginx', ['-v'], { env, timeout: 5_000 });
    return /nginx\/(\S+)/.exec(stderr)?.[1] ?? 'unknown';
  } catch {
    throw new NotAvailable('nginx is not installed: apt-get install nginx-light');
  }
}

async function startNginx(rule: Rule, setting: Setting): Promise<Served> {
  const prefix = await mkdtemp(join(tmpdir(), 'gallery-nginx-'));
  const port = await freePort();
  await mkdir(join(prefix, 'tmp'));
  await writeFile(join(prefix, 'answer.json'), JSON.stringify(successBody));
  await writeFile(join(prefix, 'nginx.conf'), configuration({ rule, setting, port, prefix }));
  // With neither master nor workers it is one process: ending that ends all of it.
  const child = spawn('nginx', ['-p', prefix, '-c', join(prefix, 'nginx.conf'), '-e', 'stderr'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const close = async (): Promise<void> => {
    await end(child);
    await rm(prefix, { recursive: true, force: true });
  };
  const said = collected(child);
  child.once('error', () => undefined);
  if (await comesUp(child, port)) return { url: `http://127.0.0.1:${port}`, close };
  await close();
  throw new Error(`nginx did not start: ${said().slice(0, 500)}`);
}

type Configured = {
  readonly rule: Rule;
  readonly setting: Setting;
  readonly port: number;
  readonly prefix: string;
};

function configuration({ rule, setting, port, prefix }: Configured): string {
  const perMinute = (rule.limit * 60_000) / rule.windowMs;
  if (!Number.isInteger(perMinute)) throw new Error(`nginx takes whole requests a minute, not ${perMinute}`);
  const { burst, nodelay, status } = setting;
  const words = [
    'zone=keys',
    ...(burst === undefined ? [] : [`burst=${burst}`]),
    ...(nodelay === true ? ['nodelay'] : []),
  ];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
pid ${prefix}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_timeout 300s;
  keepalive_requests 100000;
${temporary.map((name) => `  ${name}_temp_path ${prefix}/tmp/${name};`).join('\n')}
  limit_req_zone $http_authorization zone=keys:1m rate=${perMinute}r/m;
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location = ${limitedPath} {
      limit_req ${words.join(' ')};
${status === undefined ? '' : `      limit_req_status ${status};`}
      default_type application/json;
      alias ${prefix}/answer.json;
    }
  }
}
`;
}

const startMsMax = 5_000;
const stepMs = 50;

async function comesUp(child: ChildProcess, port: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < startMsMax && hasNotEnded(child); waitedMs += stepMs) {
    if (await isListening(port)) return true;
    await sleep(stepMs);
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || !hasNotEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
  await ended;
  clearTimeout(timer);
}

function hasNotEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function collected({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(0, 4_000);
  });
  return () => text;
}
