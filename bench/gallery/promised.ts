import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { stringify } from 'yaml';
import { clausesOf } from '../../contract/clauses/of-document.ts';
import { limitTextOf } from '../../contract/document/document.ts';
import type { PromiseSetting } from '../../contract/document/promise.ts';
import { liveKeys, liveRun } from '../../proof/hostile/live-run.ts';
import { inTurn } from '../../proof/in-turn.ts';
import { loadDocument } from '../../run/document/document-file.ts';
import { ownVersion } from './package-version.ts';
import type { Peer } from './peer.ts';
import { peers } from './peers.ts';
import { type Rule, ruleOf } from './rule.ts';
import { nameOf } from './subject.ts';

/** A document as somebody might write it for a limiter that is not ours. */
type Written = { readonly limit: number; readonly seconds: number; readonly promise: PromiseSetting };

/** A limiter, the rule that it is given, a document that says the truth of it, and others that do not. */
type Held = {
  readonly name: string;
  readonly rule: Rule;
  readonly truth: readonly Written[];
  readonly others: readonly Written[];
};

const inMinute = (limit: number, promise: PromiseSetting): Written => ({ limit, seconds: 60, promise });

/** What middleware for Node.js mostly keeps: a window that begins with its first request. */
function fromFirstRequest(name: string): Held {
  return {
    name,
    rule: ruleOf(120, 60),
    truth: [inMinute(120, { kind: 'fixed', aligned: 'first-request' }), inMinute(120, 'fixed')],
    others: [inMinute(120, 'rolling'), inMinute(121, 'fixed'), inMinute(120, 'token-bucket')],
  };
}

const held: readonly Held[] = [
  fromFirstRequest('express-rate-limit'),
  fromFirstRequest('@fastify/rate-limit'),
  fromFirstRequest('rate-limiter-flexible, RateLimiterMemory'),
  fromFirstRequest('hono-rate-limiter'),
  fromFirstRequest('koa-ratelimit, memory'),
  {
    name: 'limit_req, burst=5, nodelay',
    rule: ruleOf(30, 60),
    truth: [inMinute(30, { kind: 'token-bucket', size: 6 })],
    others: [inMinute(30, 'fixed'), inMinute(30, { kind: 'token-bucket', size: 7 })],
  },
  {
    name: 'limit_req, burst=29, nodelay, status 429',
    rule: ruleOf(30, 60),
    truth: [inMinute(30, 'token-bucket')],
    others: [inMinute(30, 'rolling'), inMinute(30, 'at-most')],
  },
  {
    name: 'throttled-py, GCRA',
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'token-bucket'), inMinute(120, 'at-least')],
    others: [inMinute(120, 'fixed'), inMinute(100, 'token-bucket')],
  },
  {
    name: 'limits, sliding-window-counter',
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'unsaid')],
    others: [inMinute(120, 'rolling'), inMinute(119, 'at-most')],
  },
  {
    name: 'rolling-rate-limiter, in memory',
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'rolling'), inMinute(120, 'at-most')],
    others: [inMinute(120, 'fixed'), inMinute(121, 'at-least')],
  },
];

type Play = { readonly peer: Peer; readonly rule: Rule; readonly written: Written; readonly isTrue: boolean };
type Played = Play & {
  readonly said: string;
  readonly violated: readonly string[];
  readonly open: readonly string[];
};

const atOnce = 12;
const apartMs = 900;

process.exitCode = await main();

/** `npm run gallery:promises`: documents of limiters that nobody here wrote, true ones and others, in real minutes. */
async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'promised-'));
  try {
    const all = held.flatMap(playsOf);
    const played = await inTurn(all, {
      ...{ atOnce, apartMs },
      play: (one) => playOnce(one, folder),
      onPlayed: (one) => void process.stderr.write(`${cellsOf(one).join(' | ')}\n`),
    });
    const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
    const head = ['limiter', 'keeps', 'document says', 'true?', 'verdict', 'clauses'];
    const rows = [head, head.map(() => '---'), ...played.map(cellsOf)];
    process.stdout.write(`messaging-conformance ${await ownVersion()}\n\n${rows.map(line).join('\n')}\n`);
    return played.every(isRight) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function playsOf({ name, rule, truth, others }: Held): readonly Play[] {
  const peer = peers.find((one) => nameOf(one).endsWith(name));
  if (peer === undefined) throw new Error(`the gallery has no ${name}`);
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
function yamlOf({ peer, written: { limit, seconds, promise } }: Play): string {
  return stringify({
    version: 1,
    title: nameOf(peer),
    windowSeconds: seconds,
    ...{ headers: 'none', errors: 'none', keys: 'none' },
    ...(peer.refusal === 429 ? {} : { refusal: { status: peer.refusal } }),
    scopes: { api: { title: 'any route', limit, promise } },
  });
}

function isRight({ isTrue, violated, open }: Played): boolean {
  return isTrue ? violated.length === 0 && open.length === 0 : violated.length > 0;
}

function cellsOf(one: Played): readonly string[] {
  const { peer, rule, isTrue, said, violated, open } = one;
  const unviolated = open.length > 0 ? 'inconclusive' : 'conformant';
  const verdict = violated.length > 0 ? 'violated' : unviolated;
  return [
    nameOf(peer),
    `${rule.limit} in ${rule.windowMs / 1_000} s`,
    said,
    isTrue ? 'yes' : 'no',
    isRight(one) ? verdict : `${verdict} (wrong)`,
    [...violated, ...open.map((id) => `${id} open`)].join(', '),
  ];
}
