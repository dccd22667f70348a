import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../free-port.ts';

/** Programs that stand before several nodes, and hand each request to the next one. */
export const balancers = ['nginx', 'haproxy'] as const;

export type BalancerName = (typeof balancers)[number];

export type Balancer = { readonly url: string; readonly close: () => Promise<void> };

export function isHere(name: BalancerName): boolean {
  const { error } = spawnSync(name, ['-v'], { stdio: 'ignore' });
  return error === undefined;
}

/** @throws where it does not come up. */
export async function startBalancer(name: BalancerName, nodes: readonly string[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const port = await freePort();
  const path = join(folder, `${name}.conf`);
  const hosts = nodes.map((url) => new URL(url).host);
  await writeFile(path, settings[name]({ port, hosts, folder }));
  const child = spawn(name, programArguments[name](path, folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  // No process is left behind when a test breaks off.
  const killed = (): void => void child.kill('SIGKILL');
  process.once('exit', killed);
  child.once('exit', () => process.off('exit', killed));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  if (!(await accepts(child, port))) {
    child.kill('SIGKILL');
    throw new Error(`${name} does not come up: ${said}`);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const exited = child.exitCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Placed = { readonly port: number; readonly hosts: readonly string[]; readonly folder: string };

/** As in their manuals, with connections to the nodes that are kept; what is not set is as they come. */
const settings: Readonly<Record<BalancerName, (placed: Placed) => string>> = {
  // One process, so that its end is the end of all.
  nginx: ({ port, hosts, folder }) => `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events { worker_connections 2048; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  upstream api {
${hosts.map((host) => `    server ${host};`).join('\n')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port} backlog=2048;
    location / {
      proxy_pass http://api;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`,
  haproxy: ({ port, hosts }) => `global
  maxconn 2048
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend api
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
${hosts.map((host, at) => `  server node${at} ${host}`).join('\n')}
`,
};

const programArguments: Readonly<Record<BalancerName, (path: string, folder: string) => readonly string[]>> =
  {
    nginx: (path, folder) => ['-p', folder, '-c', path, '-e', 'stderr'],
    haproxy: (path) => ['-db', '-f', path],
  };

const looks = 200;

async function accepts(child: ChildProcess, port: number): Promise<boolean> {
  for (let look = 0; look < looks && child.exitCode === null; look += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return true;
    await sleep(25);
  }
  return false;
}
