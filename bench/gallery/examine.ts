import type { Identification } from '../../contract/identification.ts';
import { type Kept, keptOf } from './breakage.ts';
import { runContract } from './contract-run.ts';
import { runIdentification } from './identification-run.ts';
import { NotAvailable, type Peer } from './peer.ts';
import { makeKeys, nameOf, rule } from './subject.ts';

/** One row of the table. */
export type Row = {
  readonly library: string;
  readonly setting: string;
  readonly version: string | null;
  readonly expected: readonly string[];
  readonly result:
    | {
        readonly state: 'examined';
        readonly identification: Identification;
        /** Whether what was found, or one of several that fit as well, is what the limiter's source implements. */
        readonly isRight: boolean;
        readonly contract: Kept;
        readonly seconds: number;
      }
    | { readonly state: 'not-run'; readonly reason: string };
};

export type ExamineContext = {
  readonly folder: string;
  readonly version: string;
  readonly signal: AbortSignal;
};

/** Starts one server, identifies it and holds it to the document at the same time, and ends it. */
export async function examine(peer: Peer, context: ExamineContext): Promise<Row> {
  const { library, setting, expected } = peer;
  let version: string | null = null;
  try {
    version = await peer.version();
    return { library, setting, version, expected, result: await examined(peer, context) };
  } catch (error) {
    if (!(error instanceof NotAvailable) && !context.signal.aborted) throw error;
    const reason = error instanceof NotAvailable ? error.message : 'the gallery was stopped';
    return { library, setting, version, expected, result: { state: 'not-run', reason } };
  }
}

async function examined(peer: Peer, { folder, version, signal }: ExamineContext): Promise<Row['result']> {
  const keys = makeKeys();
  const secrets = [...keys.contract, keys.identification].map(
    ({ alias, secret }) => [alias, secret] as const,
  );
  const startedMs = performance.now();
  const served = await peer.start({ rule, keys: new Map(secrets) });
  try {
    const running = { peer, url: served.url, keys, folder, slug: slugOf(peer), version, signal };
    const [identification, contract] = await Promise.all([runIdentification(running), runContract(running)]);
    if (signal.aborted) return { state: 'not-run', reason: 'the gallery was stopped' };
    const found = [identification.algorithm].flat();
    const isRight = peer.expected.some((algorithm) => found.includes(algorithm));
    const seconds = Math.round((performance.now() - startedMs) / 100) / 10;
    return { state: 'examined', identification, isRight, contract: keptOf(contract), seconds };
  } finally {
    await served.close();
  }
}

function slugOf(peer: Peer): string {
  return nameOf(peer)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
