import type { Identification } from '../../contract/identification.ts';
import { messageOf } from '../../contract/thrown.ts';
import { type Kept, keptOf } from './breakage.ts';
import { runContract } from './contract-run.ts';
import { type Grade, gradeOf } from './grade.ts';
import { runIdentification } from './identification-run.ts';
import { NotAvailable, type Origin, type Peer } from './peer.ts';
import type { Rule } from './rule.ts';
import { isDocumented, makeKeys, slugOf } from './subject.ts';
import type { Truth } from './truth.ts';

/** One row of the table. */
export type Row = {
  readonly library: string;
  readonly origin: Origin;
  readonly setting: string;
  readonly version: string | null;
  readonly rule: Rule;
  readonly truth: Truth;
  readonly result:
    | {
        readonly state: 'examined';
        /** `null` where nothing could be said, with the reason. */
        readonly identification: Identification | null;
        readonly remarks: readonly string[];
        readonly grade: Grade;
        /** `null` where the server keeps another rule than the document's. */
        readonly contract: Kept | null;
      }
    | { readonly state: 'not-run'; readonly reason: string };
};

export type ExamineContext = {
  readonly folder: string;
  readonly version: string;
  readonly signal: AbortSignal;
};

/** Starts one server, identifies it, holds it to the document at the same time where it keeps its rule, and ends it. */
export async function examine(peer: Peer, context: ExamineContext): Promise<Row> {
  const { library, origin, setting, rule } = peer;
  const row = { library, origin, setting, rule, truth: peer.truth(rule) };
  let version: string | null = null;
  try {
    version = await peer.version();
    return { ...row, version, result: await examined(peer, context) };
  } catch (error) {
    return { ...row, version, result: { state: 'not-run', reason: reasonOf(error, context.signal) } };
  }
}

/** One server that fails costs its own row alone. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'the gallery was stopped';
  if (error instanceof NotAvailable) return error.message;
  return `it failed: ${messageOf(error)}`;
}

async function examined(peer: Peer, { folder, version, signal }: ExamineContext): Promise<Row['result']> {
  const keys = makeKeys();
  const secrets = [...keys.contract, keys.identification].map(
    ({ alias, secret }) => [alias, secret] as const,
  );
  const served = await peer.start({ rule: peer.rule, keys: new Map(secrets) });
  try {
    const running = { peer, url: served.url, keys, folder, slug: slugOf(peer), version, signal };
    const [found, contract] = await Promise.all([
      runIdentification(running),
      isDocumented(peer.rule) ? runContract(running).then(keptOf) : null,
    ]);
    if (signal.aborted) return { state: 'not-run', reason: 'the gallery was stopped' };
    const [identification, remarks] =
      found.kind === 'identified' ? [found.identification, found.remarks] : [null, [found.reason]];
    const grade = gradeOf(identification, peer.truth(peer.rule));
    return { state: 'examined', identification, remarks, grade, contract };
  } finally {
    await served.close();
  }
}
