import { greatestOf } from '../../contract/extremes.ts';
import { unlessCrashed } from '../../contract/judgement.ts';
import type { Verdict } from '../../contract/verdict.ts';
import type { DeliveryCounts, JudgedWebhooks } from '../../contract/webhooks/judged.ts';
import type { WebhookLog } from '../../contract/webhooks/log.ts';
import type { SentMeanwhile } from '../../contract/webhooks/sent-meanwhile.ts';
import type { Delivery } from '../../contract/webhooks/trace.ts';
import type { Arrival, EventArrival } from './arrival.ts';
import { type Book, openBook } from './book.ts';
import { type SignatureSearch, searchSignatures } from './signature-search.ts';
import { otherRequests, type ReceivedRequest, reached, survey } from './webhooks-among.ts';

/** What is known besides the deliveries. */
export type Knowledge = {
  /** Secrets that may have signed; without them signatures are looked at, and not verified. */
  readonly secrets: readonly string[];
  /** What was sent to the deployment meanwhile; `null` where that is not known. */
  readonly meanwhile: SentMeanwhile | null;
};

/** What all judges of one trace share. A trace may hold millions of deliveries: nobody holds them. */
export type WebhookCase = Knowledge & {
  /** Messages from customers that were injected; `null` where nobody did. */
  readonly injected: number | null;
  /** When the last request of any kind arrived, ms since the Unix epoch; `null` where none did. */
  readonly lastMs: number | null;
  /** The little that is kept of each webhook that came whole. */
  readonly book: Book;
  readonly signatures: SignatureSearch;
  /** The deliveries at these positions in the book, read from the trace once more. */
  readonly recall: (positions: readonly number[]) => readonly Delivery[];
};

/** A request that is judged. */
export type Webhook = ReceivedRequest & {
  /** `null` where its body is not known whole, or is no envelope. */
  readonly event: EventArrival | null;
};

/** What one judge has seen so far. */
export type Tally = {
  /** Told of each webhook once, in order of arrival. */
  readonly add: (webhook: Webhook) => void;
  /** Asked once, when there are no more. */
  readonly verdict: () => Verdict;
};

export type WebhookJudge = (subject: WebhookCase) => Tally;

/** For judges that read only what all of them share. */
export const nothingToAdd = (): void => undefined;

export type WalkedWebhooks = Pick<
  JudgedWebhooks,
  'path' | 'deliveries' | 'others' | 'lastMs' | 'signatures'
> & {
  /** Of each judge, in their order. */
  readonly verdicts: readonly ReturnType<typeof unlessCrashed<Verdict>>[];
};

/** Shows all webhooks of a trace to these judges. It is read twice: only its end shows which path is judged. */
export function walk(log: WebhookLog, knowledge: Knowledge, judges: readonly WebhookJudge[]): WalkedWebhooks {
  const all = survey(log.header.path);
  for (const delivery of log.deliveries) all.add(reached(delivery));
  const [path, lastMs] = [all.path(), all.lastMs()];
  const subject: WebhookCase = {
    ...knowledge,
    injected: log.injected,
    lastMs,
    book: openBook(all.marked()),
    signatures: searchSignatures(knowledge.secrets),
    recall: (positions) => recalled(log, path, positions),
  };
  const tallies = judges.map((judge) => unbroken(judge, subject));
  const [counts, others] = [deliveryCounts(), otherRequests()];
  for (const delivery of log.deliveries) {
    const one = reached(delivery);
    if (!isJudged(one, path)) {
      others.add(one);
      continue;
    }
    counts.add(delivery);
    if (one.arrival !== null) {
      subject.book.add(one.arrival);
      subject.signatures.add(one.arrival);
    }
    const webhook = { ...one, event: eventOf(one.arrival) };
    for (const tally of tallies) tally.add(webhook);
  }
  const verdicts = tallies.map((tally) => tally.verdict());
  subject.book.close();
  const deliveries = counts.found();
  return {
    path: deliveries.total === 0 ? null : path,
    deliveries,
    others: others.found(),
    lastMs,
    signatures: subject.signatures.counts(),
    verdicts,
  };
}

function isJudged({ isMarked, pathname }: ReceivedRequest, path: string | null): boolean {
  return isMarked && pathname === path;
}

function eventOf(arrival: Arrival | null): EventArrival | null {
  const isEvent = (one: Arrival): one is EventArrival => one.envelope !== null;
  return arrival !== null && isEvent(arrival) ? arrival : null;
}

/** A judge that throws is asked no more, and leaves the others as they are. */
function unbroken(judge: WebhookJudge, subject: WebhookCase) {
  const tally = unlessCrashed(() => judge(subject));
  let broken = 'kind' in tally ? tally : null;
  return {
    add(webhook: Webhook): void {
      if (broken !== null || 'kind' in tally) return;
      const added = unlessCrashed(() => {
        tally.add(webhook);
        return null;
      });
      broken = added;
    },
    verdict: () => broken ?? ('kind' in tally ? tally : unlessCrashed(tally.verdict)),
  };
}

function deliveryCounts() {
  const byAnswer = { ok: 0, slow: 0, error: 0, limited: 0, gone: 0, none: 0, other: 0 } satisfies Record<
    Delivery['answer'],
    number
  >;
  let total = 0;
  let brokenOff = 0;
  return {
    add({ answer, answeredMs, completeMs }: Delivery): void {
      total += 1;
      // Who had gone before it got none.
      byAnswer[answeredMs === null ? 'none' : answer] += 1;
      if (completeMs === null) brokenOff += 1;
    },
    found: (): DeliveryCounts => ({ total, brokenOff, byAnswer }),
  };
}

/** By the same rule by which the book took them: of each webhook it would take its place among all to know it again. */
function recalled(log: WebhookLog, path: string | null, positions: readonly number[]): readonly Delivery[] {
  const found = new Map<number, Delivery>();
  const last = greatestOf(positions);
  let at = -1;
  for (const delivery of log.deliveries) {
    if (at >= last) break;
    const one = reached(delivery);
    if (!isJudged(one, path) || one.arrival === null) continue;
    at += 1;
    if (positions.includes(at)) found.set(at, delivery);
  }
  return positions.flatMap((one) => found.get(one) ?? []);
}
