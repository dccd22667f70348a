import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { stringify } from 'yaml';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { limitTextOf } from '../../contract/document/document.ts';
import { liveKeys, liveRun } from '../../proof/hostile/live-run.ts';
import { inTurn } from '../../proof/in-turn.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { ownVersion } from './package-version.ts';
import type { Peer } from './peer.ts';
import { type HeldLimiter, held, type WrittenDocument } from './promised/held.ts';
import { type PromisedRow, tableOf, withPromises } from './promised/section.ts';
import type { Rule } from './rule.ts';
import { nameOf } from './subject.ts';

type Play = {
  readonly peer: Peer;
  readonly rule: Rule;
  readonly written: WrittenDocument;
  readonly isTrue: boolean;
};
type Played = Play & {
  readonly said: string;
  readonly violated: readonly string[];
  readonly open: readonly string[];
};

const atOnce = 12;
const apartMs = 900;
const page = new URL('../../docs/gallery.md', import.meta.url);

const flags = new Command('gallery:promises')
  .description('holds limiters that nobody here wrote to documents, true ones and others, in real minutes')
  .option('--only <text>', 'those whose name holds the text')
  .option('--write', 'put the rows into docs/gallery.md, in the place of those of the same limiters')
  .parse()
  .opts<{ only?: string; write?: true }>();

process.exitCode = await main();

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'promised-'));
  try {
    const all = held.filter(({ peer }) => nameOf(peer).includes(flags.only ?? '')).flatMap(playsOf);
    const played = await inTurn(all, {
      ...{ atOnce, apartMs },
      play: (one) => playOnce(one, folder),
      onPlayed: (one) => void process.stderr.write(`${Object.values(rowOf(one)).join(' | ')}\n`),
    });
    const rows = played.map(rowOf);
    process.stdout.write(`messaging-conformance ${await ownVersion()}\n\n${tableOf(rows).join('\n')}\n`);
    if (flags.write === true)
      await writeFile(
        page,
        withPromises(
          await readFile(page, 'utf8'),
          rows,
          held.map(({ peer }) => nameOf(peer)),
        ),
      );
    return played.length > 0 && played.every(isRight) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function playsOf({ peer, rule, truth, others }: HeldLimiter): readonly Play[] {
  return [
    ...truth.map((written) => ({ peer, rule, written, isTrue: true })),
    ...others.map((written) => ({ peer, rule, written, isTrue: false })),
  ];
}

async function playOnce(play: Play, folder: string): Promise<Played> {
  const { peer, rule, written } = play;
  const file = join(folder, `${randomUUID()}.yaml`);
  await writeFile(file, yamlOf(play));
  const document = await loadDocument(file, folder);
  const server = await peer.start({ rule, keys: liveKeys });
  try {
    const run = await liveRun({
      deployment: {
        document,
        baseUrls: [server.url],
        requests: { api: peer.request },
        probeWithoutKey: false,
        windowSeconds: written.seconds,
      },
      load: 'none',
      folder,
      signal: new AbortController().signal,
    });
    const idsOf = (kind: string): readonly string[] =>
      clausesOf(document)
        .filter(
          ({ id, level, needs }) => level === 'must' && needs !== 'load' && run.verdicts.get(id) === kind,
        )
        .map(({ id }) => id);
    return {
      ...play,
      said: limitTextOf(document, 'api'),
      violated: idsOf('violated'),
      open: idsOf('inconclusive'),
    };
  } finally {
    await server.close();
  }
}

/** The document as a file: all that this suite is told of the limiter. */
function yamlOf({ peer, written }: Play): string {
  const { limit, seconds, promise, headers, other, body, waitSeconds } = written;
  const others =
    other === undefined
      ? {}
      : { others: [{ request: { ...peer.request, path: other.path }, cost: other.cost }] };
  return stringify({
    version: 1,
    title: nameOf(peer),
    windowSeconds: seconds,
    ...{ headers, errors: 'none', keys: 'none' },
    ...(peer.refusal === 429 && body === undefined && waitSeconds === undefined
      ? {}
      : { refusal: { status: peer.refusal, ...body?.refusal, waitSeconds } }),
    scopes: { api: { title: 'any route', limit, promise, ...others } },
  });
}

function isRight({ isTrue, violated, open }: Played): boolean {
  return isTrue ? violated.length === 0 && open.length === 0 : violated.length > 0;
}

function rowOf(one: Played): PromisedRow {
  const { peer, rule, written, isTrue, said, violated, open } = one;
  const unviolated = open.length > 0 ? 'inconclusive' : 'conformant';
  const verdict = violated.length > 0 ? 'violated' : unviolated;
  return {
    limiter: nameOf(peer),
    keeps: `${rule.limit} in ${rule.windowMs / 1_000} s`,
    says: `${said}${written.headers === 'none' ? '' : `; headers: ${written.headers}`}${costText(written)}${refusalText(written)}`,
    isTrue,
    verdict: isRight(one) ? verdict : `${verdict} (not as it should be)`,
    clauses: [...violated, ...open.map((id) => `${id} open`)].join(', '),
    on: new Date().toISOString().slice(0, 10),
  };
}

function costText({ other }: WrittenDocument): string {
  return other === undefined ? '' : `; ${other.path} costs ${other.cost}`;
}

function refusalText({ body, waitSeconds }: WrittenDocument): string {
  return `${body === undefined ? '' : `; body: ${body.named}`}${waitSeconds === undefined ? '' : `; wait: ${waitSeconds} s`}`;
}
