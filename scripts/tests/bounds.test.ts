import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { handOn, startFront } from '../../testing/front.ts';
import { mostWithinASecond } from '../../testing/most-within-a-second.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { conformance } from '../testing/command-line.ts';
import { inProcess } from '../testing/in-process.ts';
import { k6VariableBeforeAll } from '../testing/k6-for.ts';
import { type Reference, type ReferenceOptions, startReference } from '../testing/reference.ts';

const k6For = k6VariableBeforeAll();

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** How many requests the service answers itself. */
const wellFor = 100;

/** As many as may be on their way when it is time to stop: one for each connection of each scope. */
const inFlightMax = 3 * 50;

type Watched = Omit<Reference, 'service'> & {
  readonly asked: () => number;
  /** The most requests that came within one second, and how many were refused a key. */
  readonly peak: () => number;
  readonly keyless: () => number;
};

/** The reference service behind a server that lets some requests through, and then fails wholly. */
function failing(
  fail: (response: ServerResponse) => void,
  options: ReferenceOptions = { windowSeconds: 20 },
): Promise<Watched> {
  return watched(options, (asked, response) => {
    if (asked > wellFor) fail(response);
    return asked > wellFor;
  });
}

/** The reference service behind a server that counts, and answers some requests itself. */
async function watched(
  options: ReferenceOptions,
  answersItself: (asked: number, response: ServerResponse) => boolean = () => false,
): Promise<Watched> {
  const { service, env, flags } = await startReference(options);
  const cameMs: number[] = [];
  let keyless = 0;
  const front = await startFront((incoming, answer) => {
    cameMs.push(performance.now());
    if (answersItself(cameMs.length, answer)) incoming.resume();
    else
      handOn({ port: service.port }, { incoming, answer }, ({ statusCode }) => {
        if (statusCode === 401) keyless += 1;
      });
  });
  onTestFinished(async () => {
    front.close();
    await service.close();
  });
  const inFront = flags.map((flag) => (flag === service.url ? front.url : flag));
  return {
    flags: inFront,
    env,
    asked: () => cameMs.length,
    peak: () => mostWithinASecond(cameMs),
    keyless: () => keyless,
  };
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
    const { code, stdout, stderr } = await inProcess([...flags, '--no-load'], await temporaryFolder(), {
      env,
    });
    const counts = `${what} to \\d+.* of \\d+ requests from \\+\\d+\\.\\d s, so nothing more was sent`;
    expect(oneLine(stdout)).toMatch(new RegExp(`The run is incomplete: http://[^ ]+: ${counts}`));
    expect([code, stderr]).toEqual([3, '']);
    expect(asked()).toBeLessThan(wellFor + 20 + inFlightMax);
  });

  it('is waited for where it asks for that, and asked on once it is well', async () => {
    // Unwell in the midst of a burst; well again once nothing was asked for most of the second that it asked for.
    const inBurst = 300;
    let unwellMs: number | null = null;
    let isWell = false;
    const isUnwell = (asked: number): boolean => {
      if (asked <= inBurst || isWell) return false;
      const nowMs = performance.now();
      isWell = unwellMs !== null && nowMs - unwellMs > 700;
      unwellMs = nowMs;
      return !isWell;
    };
    const { flags, env, asked } = await watched({ windowSeconds: 20 }, (count, response) => {
      const fails = isUnwell(count);
      if (fails) response.writeHead(503, { 'retry-after': '1' }).end();
      return fails;
    });
    const args = [...flags, '--no-load', '--stop-after', '5'];
    const { code, stdout } = await inProcess(args, await temporaryFolder(), { env });
    expect(isWell).toBe(true);
    expect(stdout).not.toContain('nothing more was sent');
    expect(asked()).toBeGreaterThan(2 * inBurst);
    // The answers that are missing may leave something open, and break nothing.
    expect([0, 3]).toContain(code);
  });

  it('ends a scenario of k6 too', { timeout: 180_000 }, async (context) => {
    const fail = (response: ServerResponse): void => void response.writeHead(500).end();
    const { flags, env, asked } = await failing(fail);
    const args = ['load', 'over-pressure', '--windows', '10', ...flags];
    const k6 = k6For(context);
    const { code, stdout } = await inProcess(args, await temporaryFolder(), { env: { ...env, ...k6 } });
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
    const { code, stdout } = await inProcess([...flags, '--no-load'], await temporaryFolder(), { env });
    expect(stdout).toMatch(/violated +headers\.present/i);
    expect(oneLine(stdout)).toContain('so nothing more was sent');
    expect(code).toBe(1);
  });
});

describe('--max-requests', () => {
  it('is never exceeded, and the run says that it is incomplete', async () => {
    const { flags, env, asked } = await failing((response) => response.destroy());
    const bound = ['--max-requests', '60'];
    const { code, stdout } = await inProcess([...flags, '--no-load', ...bound], await temporaryFolder(), {
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

describe('what a run announces', () => {
  it('is what comes to the service, in all, in one second, and without a key', {
    timeout: 180_000,
  }, async (context) => {
    const { flags, env, asked, peak, keyless } = await watched({ windowSeconds: 6 });
    const k6 = k6For(context);
    const { stdout } = await conformance(flags, { cwd: await temporaryFolder(), env: { ...env, ...k6 } });
    const [, most, second] = /at most (\d+) requests, (\d+) a second at peak/.exec(stdout) ?? [];
    const [, without] = /(\d+) of them without a valid key/.exec(stdout) ?? [];
    expect(asked()).toBeGreaterThan(1_000);
    expect(asked()).toBeLessThanOrEqual(Number(most));
    expect(peak()).toBeLessThanOrEqual(Number(second));
    expect(keyless()).toBe(Number(without));
  });
});
