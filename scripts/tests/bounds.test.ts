import { createServer, request as forward, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance } from '../testing/command-line.ts';
import { k6For } from '../testing/k6-for.ts';
import { type Reference, type ReferenceOptions, startReference } from '../testing/reference.ts';

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** How many requests the service answers itself. */
const wellFor = 100;

/** As many as may be on their way when it is time to stop: one for each connection of each scope. */
const inFlightMax = 3 * 50;

type Failing = Omit<Reference, 'service'> & { readonly asked: () => number };

/** The reference service behind a server that lets some requests through, and then fails wholly. */
async function failing(
  fail: (response: ServerResponse) => void,
  options: ReferenceOptions = { windowSeconds: 20 },
): Promise<Failing> {
  const { service, env, flags } = await startReference(options);
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked > wellFor) {
      request.resume();
      fail(response);
      return;
    }
    const { method, headers, url = '' } = request;
    const through = forward(service.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    through.on('error', () => response.destroy());
    request.pipe(through);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await service.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const inFront = flags.map((flag) => (flag === service.url ? `http://127.0.0.1:${port}` : flag));
  return { flags: inFront, env, asked: () => asked };
}

describe('a service that fails wholly after 100 requests', () => {
  it.each([
    ['500', (response: ServerResponse) => response.writeHead(500).end()],
    ['503', (response: ServerResponse) => response.writeHead(503, { 'retry-after': '120' }).end()],
    ['401', (response: ServerResponse) => response.writeHead(401).end()],
    ['403', (response: ServerResponse) => response.writeHead(403).end()],
    ['no answer', (response: ServerResponse) => response.destroy()],
  ])('with %s gets few more, and the run says so', async (what, fail) => {
    const { flags, env, asked } = await failing(fail);
    const { code, stdout, stderr } = await conformance([...flags, '--no-load'], {
      cwd: await temporaryFolder(),
      env,
    });
    const counts = `${what} to \\d+.* of \\d+ requests from \\+\\d+\\.\\d s, so nothing more was sent`;
    expect(oneLine(stdout)).toMatch(new RegExp(`The run is incomplete: http://[^ ]+: ${counts}`));
    expect([code, stderr]).toEqual([3, '']);
    expect(asked()).toBeLessThan(wellFor + 20 + inFlightMax);
  });

  it('ends a scenario of k6 too', { timeout: 180_000 }, async (context) => {
    const fail = (response: ServerResponse): void => void response.writeHead(500).end();
    const { flags, env, asked } = await failing(fail);
    const args = ['load', 'over-pressure', '--windows', '10', ...flags];
    const k6 = await k6For(context);
    const { code, stdout } = await conformance(args, {
      cwd: await temporaryFolder(),
      env: { ...env, ...k6 },
    });
    expect(oneLine(stdout)).toMatch(
      /incomplete: http:[^ ]+ 500 to \d+.* of \d+ requests from \+\d+\.\d s, so nothing/,
    );
    expect(code).toBe(3);
    // The whole scenario sends 13,500 in 200 s.
    expect(asked()).toBeLessThan(1_350);
  });

  it('stays violated where it was before', async () => {
    const fail = (response: ServerResponse): void => void response.writeHead(500).end();
    const { flags, env } = await failing(fail, { windowSeconds: 20, faults: ['headers-missing-on-success'] });
    const { code, stdout } = await conformance([...flags, '--no-load'], {
      cwd: await temporaryFolder(),
      env,
    });
    expect(stdout).toMatch(/violated +headers\.present/i);
    expect(oneLine(stdout)).toContain('so nothing more was sent');
    expect(code).toBe(1);
  });
});

describe('--max-requests', () => {
  it('is never exceeded, and the run says that it is incomplete', async () => {
    const { flags, env, asked } = await failing((response) => response.destroy());
    const bound = ['--max-requests', '60'];
    const { code, stdout } = await conformance([...flags, '--no-load', ...bound], {
      cwd: await temporaryFolder(),
      env,
    });
    expect(oneLine(stdout)).toContain('where they do, the run ends at 60 and is incomplete (--max-requests)');
    expect(oneLine(stdout)).toMatch(
      /The run is incomplete: maxRequests is 60: after \d+ requests the next would/,
    );
    expect(code).toBe(3);
    expect(asked()).toBeLessThanOrEqual(60);
  });
});
