import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './cpu-seconds.ts';
import type { Bench, Measure } from './measure.ts';
import { type Rule, type ServerName, servers } from './service/servers.ts';
import { isWrkInstalled, type Pressing, press, writeScript } from './service/wrk.ts';

const path = '/v1/status';
const connections = 50;
const warmingSeconds = 5;
const roundSeconds = 5;
/** Rounds of each, so that each is measured for 30 s. */
const rounds = 6;
const secrets = Array.from({ length: 100 }, () => randomBytes(24).toString('base64url'));

/** All of a bench takes less than these windows, so no answer changes in the middle of it. */
const windowMs = 3_600_000;

/** One with a limit that nobody reaches, and one whose limit is spent with the first request of each key. */
const kinds = [
  { name: 'all 2xx', rule: { limit: 1_000_000, windowMs } },
  { name: 'all 429', rule: { limit: 1, windowMs } },
] as const satisfies readonly { readonly name: string; readonly rule: Rule }[];

type Kind = (typeof kinds)[number];

const ours = 'this service' satisfies ServerName;
const bare = 'bare Fastify' satisfies ServerName;
const ofBareMin = 0.85;

/** The service beside Fastify without a limiter, and beside the limiters of three frameworks. */
export const serviceBench: Bench = {
  name: 'service',
  about: `GET ${path}, all 2xx and all 429, by wrk: ${connections} connections, ${secrets.length} keys, each server a process of its own, ${rounds * roundSeconds} s of each in turns`,
  run: async (say) => {
    if (!(await isWrkInstalled())) {
      say('wrk is not installed (apt-get install wrk): nothing is measured');
      return [{ measured: 'the service', ours: 'not measured: wrk is not installed (apt-get install wrk)' }];
    }
    const folder = await mkdtemp(join(tmpdir(), 'service-bench-'));
    try {
      const script = join(folder, 'keys.lua');
      await writeScript(script, path, secrets);
      const measures: Measure[] = [];
      for (const kind of kinds) measures.push(...measuresOf(kind, await measured(kind, script, say)));
      return measures;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Of each round: how many a second, and µs of the server's processor for each. */
type Rounds = { readonly perSecond: number[]; readonly cpuMicroseconds: number[] };

type Measured = Readonly<Record<ServerName, Rounds>>;

async function measured(kind: Kind, script: string, say: (line: string) => void): Promise<Measured> {
  const names = Object.keys(servers) as ServerName[];
  const running: Running[] = [];
  const of = Object.fromEntries(
    names.map((name): [ServerName, Rounds] => [name, { perSecond: [], cpuMicroseconds: [] }]),
  ) as Measured;
  try {
    for (const name of names) running.push(await started(name, kind.rule));
    // The first of each is not counted: it compiles, and spends the limit of one request.
    for (let round = 0; round <= rounds; round += 1) {
      say(`${kind.name}, ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
      const seconds = round === 0 ? warmingSeconds : roundSeconds;
      for (const server of running) {
        const pressed = await pressedBy(
          { url: `${server.url}${path}`, script, connections, seconds },
          server,
        );
        if (round === 0) continue;
        checkAnswers(kind, server, pressed);
        of[server.name].perSecond.push(pressed.requestsPerSecond);
        of[server.name].cpuMicroseconds.push(pressed.cpuMicroseconds / pressed.requests);
      }
    }
    return of;
  } finally {
    for (const { child } of running) child.disconnect();
  }
}

type Pressed = Awaited<ReturnType<typeof press>>;

async function pressedBy(
  pressing: Pressing,
  server: Running,
): Promise<Pressed & { readonly cpuMicroseconds: number }> {
  const before = await server.cpuMicroseconds();
  const pressed = await press(pressing);
  return { ...pressed, cpuMicroseconds: (await server.cpuMicroseconds()) - before };
}

/** A server that answers otherwise than asked is not measured. */
function checkAnswers({ rule }: Kind, { name }: Running, { refused, requests }: Pressed): void {
  const expected = name === bare || rule.limit > 1 ? 0 : requests;
  if (refused !== expected) throw new Error(`${name} refused ${refused} of ${requests}, not ${expected}`);
}

type Running = {
  readonly name: ServerName;
  readonly url: string;
  readonly child: ChildProcess;
  cpuMicroseconds(): Promise<number>;
};

async function started(name: ServerName, rule: Rule): Promise<Running> {
  const file = new URL('./service/server-process.ts', import.meta.url);
  const child = fork(file, [name, JSON.stringify(rule), JSON.stringify(secrets)]);
  const [{ url }] = (await once(child, 'message')) as [{ readonly url: string }];
  return {
    name,
    url,
    child,
    cpuMicroseconds: async () => {
      child.send('cpu');
      const [{ cpu }] = (await once(child, 'message')) as [{ readonly cpu: NodeJS.CpuUsage }];
      return cpu.user + cpu.system;
    },
  };
}

function measuresOf({ name }: Kind, of: Measured): readonly Measure[] {
  const peers = (Object.keys(of) as ServerName[]).filter((peer) => peer !== ours);
  return peers.flatMap((peer): readonly Measure[] => {
    const ratio = median(of[ours].perSecond) / median(of[peer].perSecond);
    const cpuRatio = median(of[peer].cpuMicroseconds) / median(of[ours].cpuMicroseconds);
    const bar =
      peer === bare
        ? { text: `≥ ${ofBareMin} ×`, isMet: ratio >= ofBareMin }
        : { text: 'ahead', isMet: ratio > 1 };
    const row = (figure: keyof Rounds, digits: number, unit: string) => ({
      ours: `${median(of[ours][figure]).toFixed(digits)}${unit}`,
      peer: `${median(of[peer][figure]).toFixed(digits)}${unit} (${peer})`,
    });
    return [
      { measured: `requests a second, ${name}`, ...row('perSecond', 0, ''), ratio, bar },
      {
        measured: `processor a request, ${name} (ratio: the peer's by ours)`,
        ...row('cpuMicroseconds', 1, ' µs'),
        ratio: cpuRatio,
      },
    ];
  });
}
