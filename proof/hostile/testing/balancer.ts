import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../programs/ports.ts';
import { type LocalServer, searchedEnv, startServer } from '../../programs/server-program.ts';

/** Programs that stand before several nodes, and hand each request to the next one. */
export const balancers = ['nginx', 'haproxy'] as const;

export type BalancerName = (typeof balancers)[number];

export function isHere(name: BalancerName): boolean {
  const { error } = spawnSync(name, ['-v'], { stdio: 'ignore', env: searchedEnv });
  return error === undefined;
}

/** @throws where it does not come up. */
export async function startBalancer(name: BalancerName, nodes: readonly string[]): Promise<LocalServer> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const port = await freePort();
  const path = join(folder, `${name}.conf`);
  const hosts = nodes.map((url) => new URL(url).host);
  await writeFile(path, settings[name]({ port, hosts, folder }));
  const { url, close } = await startServer({
    command: name,
    args: programArguments[name](path, folder),
    port,
  });
  return { url, close: () => close().finally(() => rm(folder, { recursive: true, force: true })) };
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
