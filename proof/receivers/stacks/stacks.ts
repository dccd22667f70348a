import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** How a receiver is written: as it should be, or with a mistake that is common where people begin with that stack. */
export type Variant = 'right' | 'parsed' | 'unsigned' | 'open';

/** What a stack is started with; `path` is where it receives. */
export type StackProgram = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly path: string;
};

/** A stack on which people receive webhooks. */
export type Stack = {
  readonly name: string;
  readonly wrong: Exclude<Variant, 'right'>;
  /** Cases that the wrong one fails, of those that decide: no others. */
  readonly fails: readonly string[];
  /** A part of the likely cause that has to be named, where one is. */
  readonly says?: string;
  /** Why it cannot be driven on this machine; `null` where it can. */
  readonly missing?: () => Promise<string | null>;
  readonly programOf: (variant: Variant, port: number) => Promise<StackProgram>;
};

const programs = fileURLToPath(new URL('programs/', import.meta.url));

/** The secret of every receiver here. */
export const secret = 'secret-of-all-receivers';

const parsedAnew = ['allowed.escaped', 'allowed.white-space'];
const acceptsUnsigned = ['forged.no-signature'];

function node(name: string, framework: string, change: Pick<Stack, 'wrong' | 'fails'>): Stack {
  return {
    name,
    ...change,
    programOf: async (variant, port) => ({
      command: process.execPath,
      args: [join(programs, 'receiver.mjs'), framework, String(port), variant],
      path: '/hooks',
    }),
  };
}

function python(name: string, framework: string, change: Pick<Stack, 'wrong' | 'fails' | 'says'>): Stack {
  return {
    name,
    ...change,
    programOf: async (variant, port) => ({
      command: framework === 'http.server' ? 'python3' : join(await pythonFolder(), 'venv/bin/python'),
      args: [join(programs, 'receiver.py'), framework, String(port), variant],
      path: '/hooks',
    }),
  };
}

function go(name: string, folder: string, change: Pick<Stack, 'wrong' | 'fails' | 'says'>): Stack {
  return {
    name,
    ...change,
    programOf: async (variant, port) => ({
      command: await goProgram(folder),
      args: [String(port), variant],
      path: '/hooks',
    }),
  };
}

/** The stacks, by language. */
export const stacks: readonly Stack[] = [
  node('Node, node:http', 'http', { wrong: 'unsigned', fails: acceptsUnsigned }),
  node('Node, Express 5', 'express', { wrong: 'parsed', fails: parsedAnew }),
  node('Node, Fastify 5', 'fastify', { wrong: 'parsed', fails: parsedAnew }),
  // Koa gives an empty text for a header that is missing.
  node('Node, Koa', 'koa', { wrong: 'unsigned', fails: [...acceptsUnsigned, 'forged.empty-signature'] }),
  node('Node, Hono', 'hono', { wrong: 'parsed', fails: parsedAnew }),
  node('Node, octokit', 'octokit', { wrong: 'parsed', fails: parsedAnew }),
  python('Python, http.server', 'http.server', { wrong: 'unsigned', fails: acceptsUnsigned }),
  python('Python, Flask', 'flask', { wrong: 'parsed', fails: ['valid.received'], says: 'as Python does' }),
  python('Python, FastAPI', 'fastapi', {
    wrong: 'parsed',
    fails: ['valid.received'],
    says: 'as Python does',
  }),
  python('Python, aiohttp', 'aiohttp', { wrong: 'unsigned', fails: acceptsUnsigned }),
  python('Python, gunicorn', 'gunicorn', {
    wrong: 'parsed',
    fails: ['valid.received'],
    says: 'as Python does',
  }),
  go('Go, net/http', 'go', { wrong: 'parsed', fails: ['valid.received'], says: 'keys sorted' }),
  // Go gives an empty text for a header that is missing.
  go('Go, go-github', 'go-github', {
    wrong: 'unsigned',
    fails: [...acceptsUnsigned, 'forged.empty-signature'],
  }),
  {
    name: 'Java, HttpServer of the JDK',
    wrong: 'unsigned',
    fails: acceptsUnsigned,
    programOf: async (variant, port) => ({
      command: 'java',
      args: [join(programs, 'Receiver.java'), String(port), variant],
      path: '/hooks',
    }),
  },
  {
    name: 'PHP, its own server',
    wrong: 'parsed',
    fails: ['allowed.unescaped', 'allowed.white-space'],
    programOf: async (variant, port) => ({
      command: 'php',
      args: ['-S', `127.0.0.1:${port}`, join(programs, 'receiver.php')],
      env: { VARIANT: variant, PHP_CLI_SERVER_WORKERS: '8' },
      path: '/hooks',
    }),
  },
  {
    name: 'Ruby, WEBrick',
    wrong: 'parsed',
    fails: parsedAnew,
    programOf: async (variant, port) => ({
      command: 'ruby',
      args: [join(programs, 'receiver.rb'), String(port), variant],
      path: '/hooks',
    }),
  },
  {
    name: 'Ruby, Sinatra',
    wrong: 'unsigned',
    fails: acceptsUnsigned,
    missing: withoutSinatra,
    programOf: async (variant, port) => ({
      command: 'ruby',
      args: [join(programs, 'sinatra.rb'), String(port), variant],
      env: { APP_ENV: 'production' },
      path: '/hooks',
    }),
  },
  {
    name: 'Debian’s webhook',
    wrong: 'open',
    // Whether it drops forgeries after its 200, nobody can see without its effects; half a body it takes for sure.
    fails: ['connection.cut-off'],
    programOf: async (variant, port) => ({
      command: 'webhook',
      args: ['-hooks', await hooksFile(variant), '-ip', '127.0.0.1', '-port', String(port)],
      path: '/hooks/test',
    }),
  },
];

async function hooksFile(variant: Variant): Promise<string> {
  const rule = {
    match: {
      type: 'payload-hmac-sha256',
      secret,
      parameter: { source: 'header', name: 'X-Service-Signature' },
    },
  };
  const hook = {
    id: 'test',
    'execute-command': '/bin/true',
    'trigger-rule-mismatch-http-response-code': 401,
    ...(variant === 'open' ? {} : { 'trigger-rule': rule }),
  };
  const folder = await mkdtemp(join(tmpdir(), 'receivers-'));
  const file = join(folder, 'hooks.json');
  await writeFile(file, JSON.stringify([hook]));
  return file;
}

const run = promisify(execFile);
const cache = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'messaging-conformance',
  'receivers',
);

let installing: Promise<string> | null = null;

/** The frameworks of Python, installed once at the versions of `requirements.txt`. */
function pythonFolder(): Promise<string> {
  const install = async (): Promise<string> => {
    await mkdir(cache, { recursive: true });
    await run('python3', ['-m', 'venv', 'venv'], { cwd: cache });
    const requirements = join(programs, 'requirements.txt');
    const flags = ['--quiet', '--no-deps', '--disable-pip-version-check'];
    await run(join(cache, 'venv/bin/pip'), ['install', ...flags, '-r', requirements], { cwd: cache });
    return cache;
  };
  installing ??= install();
  return installing;
}

/** Sinatra is no part of Ruby, and no registry of the others has it: Debian's package is used where it is there. */
function withoutSinatra(): Promise<string | null> {
  return run('ruby', ['-e', 'require "sinatra/base"; require "webrick"']).then(
    () => null,
    () => 'Sinatra is not installed (ruby-sinatra and ruby-webrick of Debian)',
  );
}

const building = new Map<string, Promise<string>>();

/** A program of Go, built once at the versions of its `go.mod`. */
function goProgram(folder: string): Promise<string> {
  const build = async (): Promise<string> => {
    await mkdir(cache, { recursive: true });
    const target = join(cache, `receiver-${folder}`);
    await run('go', ['build', '-trimpath', '-o', target, '.'], {
      cwd: join(programs, folder),
      env: { ...process.env, CGO_ENABLED: '0' },
    });
    return target;
  };
  const built = building.get(folder) ?? build();
  building.set(folder, built);
  return built;
}
