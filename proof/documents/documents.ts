import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { limitsOf } from '../../contract/document/document.ts';
import { embeddedRequests } from '../../run/target/embedded-requests.ts';
import { startService } from '../../service/server.ts';
import { type CommandIo, wholeNumber } from '../command.ts';
import { type LiveRun, liveKeys, liveRun } from '../hostile/live-run.ts';
import { inTurn } from '../in-turn.ts';
import { type Example, faultsOf, readExamples } from './examples.ts';

/** Between the begins of two runs, ms: the first requests of many at once would wait for each other. */
const apartMs = 1_000;

/** Faults that each example is served with, one after another. */
const faultsEach = 3;

/** `npm run documents`: each example by sockets, in real minutes: as it promises, and with faults. */
export function documentsCommand(io: CommandIo): Command {
  return new Command('documents')
    .description(
      `serves each document of documents/examples by sockets, as it promises and with ${faultsEach} faults, and judges it by that document`,
    )
    .option('--at-once <n>', 'how many runs go on at the same time', wholeNumber({ min: 1, max: 64 }), 4)
    .action(async ({ atOnce }: { readonly atOnce: number }) => {
      const folder = await mkdtemp(join(tmpdir(), 'documents-'));
      try {
        const all = (await readExamples()).flatMap(playsOf);
        const played = await inTurn(all, {
          ...{ atOnce, apartMs },
          play: (one) => playOnce(one, folder),
          onPlayed: (one) => void io.stdout.write(`${lineOf(one)}\n`),
        });
        io.exit(played.every(isAsPromised) ? 0 : 1);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
}

/** One run: the fault that the service has, `null` for none, and the clauses that it has to violate. */
type Play = { readonly example: Example; readonly fault: string | null; readonly clauses: readonly string[] };

type Played = Play & { readonly violated: readonly string[]; readonly open: readonly string[] };

function playsOf(example: Example): readonly Play[] {
  const broken = faultsOf(example.document).slice(0, faultsEach);
  return [{ fault: null, clauses: [] }, ...broken].map((one) => ({ example, ...one }));
}

async function playOnce(play: Play, folder: string): Promise<Played> {
  const { document } = play.example;
  const service = await startService({
    document,
    limits: limitsOf(document),
    windowMs: document.windowSeconds * 1_000,
    keys: liveKeys,
    faults: play.fault === null ? [] : [play.fault],
    graceMs: 0,
  });
  try {
    const run = await liveRun({
      deployment: {
        document,
        baseUrls: [service.url],
        requests: embeddedRequests(document),
        windowSeconds: document.windowSeconds,
      },
      load: 'none',
      folder,
      signal: new AbortController().signal,
    });
    return { ...play, violated: idsOf(play, run, 'violated'), open: idsOf(play, run, 'inconclusive') };
  } finally {
    await service.close();
  }
}

/** Clauses that decide and that the probes show, with this verdict. */
function idsOf(
  { example }: Play,
  { verdicts }: LiveRun,
  kind: 'violated' | 'inconclusive',
): readonly string[] {
  return clausesOf(example.document)
    .filter(({ id, level, needs }) => level === 'must' && needs !== 'load' && verdicts.get(id) === kind)
    .map(({ id }) => id);
}

/** What a fault leaves open beside what it violates is the judges' care, not a mistake. */
function isAsPromised({ fault, clauses, violated, open }: Played): boolean {
  return String(violated) === String(clauses) && (fault !== null || open.length === 0);
}

function lineOf(played: Played): string {
  const { example, fault, violated, open } = played;
  const parts = [
    ...(violated.length === 0 ? [] : [`violated: ${violated.join(', ')}`]),
    ...(open.length === 0 ? [] : [`open: ${open.join(', ')}`]),
  ];
  const found = parts.length === 0 ? 'CONFORMANT' : parts.join('; ');
  return `${isAsPromised(played) ? 'right' : 'WRONG'}  ${example.file}  ${fault ?? 'as promised'}: ${found}`;
}
