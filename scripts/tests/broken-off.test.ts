import { mkdirSync, readdirSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../contract/trace.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import type { CommandIo } from '../commands/command-io.ts';
import { explain } from '../main.ts';
import { conformance, once, savedRuns } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';
import { startReference } from '../testing/reference.ts';

async function endOfTrace(cwd: string) {
  const [folder = ''] = await savedRuns(cwd);
  return parseTrace(await readFile(join(folder, 'trace.ndjson'), 'utf8')).end;
}

/** A server that is not the API. */
async function serverOf(answer: RequestListener): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

const savedTrace = join(
  import.meta.dirname,
  '..',
  '..',
  'judge',
  'testdata',
  'fixed-window-first-request.ndjson',
);
const env = { KEY: 'a-usable-key' };
const flagsFor = (url: string) => [
  '--url',
  url,
  '--profile',
  'reference',
  '--key-env',
  'KEY',
  '--no-load',
  '--window',
  '20',
];
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

describe('a run that breaks off', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s keeps its trace, says where, and exits 130',
    async (signal) => {
      const cwd = await temporaryFolder();
      const interrupt = once('run ', (child) => child.kill(signal));
      const { code, stderr } = await conformance(['--window', '30', '--no-load'], {
        cwd,
        onOutput: onceProbing(interrupt),
      });
      expect(stderr).toMatch(/^interrupted; the trace so far is in runs\/[^/]+\/trace\.ndjson\n$/);
      expect(code).toBe(130);
      expect(await endOfTrace(cwd)).toMatchObject({ complete: false, reason: 'the run was interrupted' });
    },
  );

  it('because the target died says so, and keeps the trace', async () => {
    const cwd = await temporaryFolder();
    const { service, env: keys, flags } = await startReference({ windowSeconds: 6 });
    let isClosed = false;
    const onOutput = (text: string): void => {
      if (isClosed || !text.includes('quiet part')) return;
      isClosed = true;
      void service.close();
    };
    const { code, stdout } = await inProcess([...flags, '--no-load'], cwd, { env: keys, onOutput });
    expect(oneLine(stdout)).toContain(`The run is incomplete: ${service.url} stopped answering`);
    expect(code).toBe(3);
    expect(await endOfTrace(cwd)).toMatchObject({ complete: false });
  });

  it('by an error of our own says so in a sentence, where the trace is, and exits 4', async () => {
    const cwd = await temporaryFolder();
    const options = { cwd, fileBlocksMax: 100 };
    const { code, stderr } = await conformance(['--window', '2', '--no-load'], options);
    expect(stderr).toMatch(
      /^conformance: an error of this program: EFBIG: .* The trace so far is in runs\/.*\n$/,
    );
    expect(code).toBe(4);
    expect(await endOfTrace(cwd)).toBeNull();
  });

  it('because the disk is full says so, and what can be done with the trace', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    let said = '';
    const write = (text: string): boolean => {
      said += text;
      return true;
    };
    const session = { traceFile: '/runs/1/trace.ndjson', removeKeys: (text: string) => text, hidden: [] };
    const io = { cwd: '/', session, stderr: { write } } as unknown as CommandIo;
    expect(explain(full, { io, stack: 'hidden' })).toBe(4);
    expect(said).toBe(
      'conformance: The disk is full: ENOSPC: no space left on device, write. The trace so far is in runs/1/trace.ndjson. ' +
        'Make room and run it again, or have "conformance judge runs/1/trace.ndjson" say what it shows.\n',
    );
  });

  it('whose report cannot be written ends with its verdict all the same, and says what is missing', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout, stderr } = await conformance(['judge', '--out', 'again', savedTrace], {
      cwd,
      fileBlocksMax: 100,
    });
    expect(stdout).toContain('NOT CONFORMANT');
    expect(stdout).not.toContain('report.html');
    expect(stderr).toMatch(
      /^conformance: The verdict stands, but of its report .*report\.html could not be written: EFBIG: .* judge again\.\n$/,
    );
    expect(code).toBe(1);
    const [folder = ''] = await readdir(join(cwd, 'again'));
    expect(await readdir(join(cwd, 'again', folder))).not.toContain('report.html');
  });

  it('whose folder for reports cannot be made says its verdict before that', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'again'), 'no folder');
    const { code, stdout, stderr } = await inProcess(['judge', '--out', 'again', savedTrace], cwd);
    expect(stdout).toContain('NOT CONFORMANT');
    expect(stderr).toContain('The folder for this run cannot be made: ENOTDIR');
    expect(code).toBe(2);
  });

  it('after which a conformant run has no page is no success, and names the command that writes it', async () => {
    const cwd = await temporaryFolder();
    const onOutput = () => {
      const [run] = readdirSync(join(cwd, 'runs'));
      mkdirSync(join(cwd, 'runs', run ?? '', 'report.html'), { recursive: true });
    };
    const flags = ['--window', '2', '--light', '--allow-partial', '--no-load'];
    const { code, stdout, stderr } = await inProcess(flags, cwd, { onOutput });
    expect(stdout).toContain('CONFORMANT');
    expect(stderr).toMatch(
      /of its report report\.html could not be written: EISDIR: .* "conformance judge runs\/\S+\/trace\.ndjson --out FOLDER"/,
    );
    expect(code).toBe(4);
  });

  it('because nobody listens says what to check', async () => {
    const cwd = await temporaryFolder();
    const { code, stdout, stderr } = await inProcess(flagsFor('http://127.0.0.1:1'), cwd, { env });
    expect(oneLine(stdout)).toContain(
      'connection refused (ECONNREFUSED). Check the address and whether the service is running.',
    );
    expect(stdout + stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(3);
  });

  it('because a key is wrong names its variable', async () => {
    const cwd = await temporaryFolder();
    const { service, flags } = await startReference({ windowSeconds: 20 });
    const wrong = { KEY_A: 'not-the-first-key', KEY_B: 'not-the-second-key' };
    const { code, stdout } = await inProcess([...flags, '--no-load'], cwd, { env: wrong });
    await service.close();
    expect(oneLine(stdout)).toContain('Check the API key in the environment variable KEY_A.');
    expect(code).toBe(3);
  });

  it('because a web page answers says that this is not the API', async () => {
    const cwd = await temporaryFolder();
    const page = await serverOf((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Welcome</title>');
    });
    const { code, stdout } = await inProcess(flagsFor(page.url), cwd, { env });
    page.close();
    expect(oneLine(stdout)).toContain(
      'answered with a web page (HTML). Check the base URL: this is not the API.',
    );
    expect(code).toBe(3);
  });

  it('is not because a 429 is a web page: its body is judged', async () => {
    const cwd = await temporaryFolder();
    const limiter = await serverOf((_request, response) => {
      response
        .writeHead(429, { 'content-type': 'text/html' })
        .end('<!doctype html><h1>Too many requests</h1>');
    });
    const { code, stdout } = await inProcess([...flagsFor(limiter.url), '--light', '--verbose'], cwd, {
      env,
    });
    limiter.close();
    expect(stdout).not.toContain('this is not the API');
    expect(stdout).toContain('error.shape');
    expect(code).toBe(1);
  });

  it('because of a redirect never follows it', async () => {
    const cwd = await temporaryFolder();
    let followed = 0;
    const elsewhere = await serverOf((_request, response) => {
      followed += 1;
      response.end('{}');
    });
    const target = await serverOf((request, response) => {
      response.writeHead(307, { location: `${elsewhere.url}${request.url}` }).end();
    });
    const { code } = await inProcess(flagsFor(target.url), cwd, { env });
    for (const server of [elsewhere, target]) server.close();
    expect(followed).toBe(0);
    expect(code).toBe(3);
  });
});

/** Once the first requests are out: the handlers of signals stand by then. */
function onceProbing(act: NonNullable<Parameters<typeof conformance>[1]['onOutput']>): typeof act {
  return (said) => {
    if (said.text.includes('filling')) act(said);
  };
}
