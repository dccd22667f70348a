import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { buildGo, cacheFolderOf, type GoProgram } from '../../load/runner/build-go.ts';
import type { Environment } from '../../load/runner/environment.ts';
import { freePort } from '../programs/ports.ts';
import { startServer } from '../programs/server-program.ts';
import type { Toxic } from './networks.ts';

const pinned: GoProgram = {
  name: 'toxiproxy',
  version: '2.12.0',
  main: 'github.com/Shopify/toxiproxy/v2/cmd/server',
  moduleFolder: join(import.meta.dirname, 'toxiproxy-build'),
};

export type FoundToxiproxy =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** The Toxiproxy of the user's cache. Where there is none, Go builds it there, within a minute. */
export async function findToxiproxy(options: {
  readonly env: Environment;
  readonly onProgress?: (text: string) => void;
}): Promise<FoundToxiproxy> {
  const path = join(cacheFolderOf(pinned, options), 'toxiproxy');
  const isThere = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isThere) return { kind: 'found', path };
  const built = await buildGo({ ...options, program: pinned, path });
  if (built.kind === 'built') return { kind: 'found', path };
  return { kind: 'missing', reason: built.kind === 'failed' ? built.reason : 'the build was broken off' };
}

/** A way to one service through a proxy. */
export type Link = {
  /** Where clients reach the service by it. */
  readonly url: string;
  /** Makes it worse from now on, for what is connected and what will be; `mend` takes that back. */
  readonly add: (toxic: Toxic) => Promise<{ readonly mend: () => Promise<void> }>;
  /** Whether it accepts connections; those that are open break when it ceases to. */
  readonly accept: (isOpen: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type Toxiproxy = {
  /** @param upstream URL of a service on this machine. */
  readonly link: (upstream: string) => Promise<Link>;
  readonly close: () => Promise<void>;
};

export type ToxiproxyOptions = {
  readonly path: string;
  /** Of what it draws by itself. */
  readonly seed: number;
};

/** @throws where it does not come up. */
export async function startToxiproxy({ path, seed }: ToxiproxyOptions): Promise<Toxiproxy> {
  const port = await freePort();
  const { url, close } = await startServer({
    command: path,
    args: ['-host', '127.0.0.1', '-port', String(port), '-seed', String(seed)],
    port,
    env: { LOG_LEVEL: 'error' },
  });
  const api = apiAt(url);
  let links = 0;
  return {
    link: async (upstream) => {
      links += 1;
      return openLink(api, { name: `link-${links}`, upstream: new URL(upstream).host });
    },
    close,
  };
}

/** Calls its HTTP interface; gives the parsed answer, `null` where that is empty. */
type Api = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;

/** Against hangs alone: a busy machine takes its time. */
const answersWithinMs = 60_000;

function apiAt(url: string): Api {
  return async (method, path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      // Toxiproxy closes connections that were idle for a while: one that is kept may be closed just when it is used.
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(answersWithinMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Error(`Toxiproxy does not answer ${method} ${path}: ${String(error)}`);
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Toxiproxy refuses ${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
}

const proxySchema = z.object({ listen: z.string() });
const toxicSchema = z.object({ name: z.string() });

async function openLink(
  api: Api,
  { name, upstream }: { readonly name: string; readonly upstream: string },
): Promise<Link> {
  const path = `/proxies/${name}`;
  const made = await api('POST', '/proxies', { name, listen: '127.0.0.1:0', upstream, enabled: true });
  const { listen } = proxySchema.parse(made);
  let toxics = 0;
  return {
    url: `http://${listen}`,
    add: async (toxic) => {
      toxics += 1;
      const added = await api('POST', `${path}/toxics`, { name: `toxic-${toxics}`, ...toxic });
      const toxicPath = `${path}/toxics/${toxicSchema.parse(added).name}`;
      return { mend: async () => void (await api('DELETE', toxicPath)) };
    },
    // Its port stays the same.
    accept: async (isOpen) => void (await api('POST', path, { enabled: isOpen, listen, upstream })),
    close: async () => void (await api('DELETE', path)),
  };
}
