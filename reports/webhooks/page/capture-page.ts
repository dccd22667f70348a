import { isSameHeader } from '../../../contract/header-name.ts';
import { milliseconds, seconds } from '../../../contract/quantities.ts';
import { bytesOf, eventIn } from '../../../contract/webhooks/body.ts';
import type { Deliveries } from '../../../contract/webhooks/log.ts';
import { isSigned, signatureHeader } from '../../../contract/webhooks/signature.ts';
import type { Delivery } from '../../../contract/webhooks/trace.ts';
import { outcomeText, outcomeTones } from '../../outcome.ts';
import { countsText, reasonsOf } from '../../terminal/verdict-line.ts';
import { evidenceOf, verdictTone, verdictWord } from '../../verdict-text.ts';
import type { WebhookReport } from '../webhook-result.ts';
import { chosenDeliveries } from './chosen-deliveries.ts';
import type { DeliveriesPage, PageDelivery } from './page-delivery.ts';

/** How the signature of a delivery is computed: a sentence; `null` where that is not looked for. */
export type SignatureReader = (delivery: Delivery) => string | null;

export type CapturePage = {
  readonly report: WebhookReport;
  readonly deliveries: Deliveries;
  /** None, where the page is made without them. */
  readonly secrets: readonly string[];
  readonly readSignature: SignatureReader;
  readonly folder: string;
};

/** What the page of a capture shows. */
export function capturePage({
  report,
  deliveries,
  secrets,
  readSignature,
  folder,
}: CapturePage): DeliveriesPage {
  const { url, startedAt, durationSeconds, tool, runId, outcome, clauses } = report;
  const flawed = flawedIn(report);
  return {
    title: `${outcomeText({ outcome, baseline: null })}: webhooks received at ${url}`,
    of: `webhooks received at ${url}`,
    word: outcomeText({ outcome, baseline: null }),
    tone: outcomeTones[outcome],
    counts: countsText(report),
    notices: reasonsOf(report, 'capture'),
    facts: [
      ['Started', startedAt],
      ['Duration', seconds(durationSeconds * 1_000, 1)],
      ['Deliveries', String(report.deliveries.total)],
      ['Run', runId],
      ['By', `${tool.name} ${tool.version}`],
    ],
    verdicts: clauses.map((clause) => ({
      id: clause.id,
      title: clause.title,
      word: verdictWord(clause),
      tone: verdictTone(clause),
      said: evidenceOf(clause.verdict),
    })),
    deliveries: chosenDeliveries({
      items: deliveries,
      groupOf,
      isFlawed: ({ index }) => flawed.has(index),
      parts: (delivery) => ({ headers: delivery.headers, body: textOf(delivery) }),
      shown: (delivery) => shown(delivery, secrets, readSignature),
    }),
    folder,
  };
}

/** Positions that the evidence quotes. */
function flawedIn({ clauses }: WebhookReport): ReadonlySet<number> {
  return new Set(
    clauses.flatMap(({ verdict }) =>
      verdict.kind === 'violated'
        ? verdict.evidence.exchanges.map(({ requestId }) => Number(/\d+$/.exec(requestId)?.[0] ?? -1))
        : [],
    ),
  );
}

function shown(delivery: Delivery, secrets: readonly string[], readSignature: SignatureReader): PageDelivery {
  const { index, arrivedMs, method, path, headers, forwarded } = delivery;
  const body = textOf(delivery);
  const found = body === null ? null : eventIn(body);
  const word = signatureWord(delivery, secrets);
  return {
    index,
    atMs: arrivedMs,
    name: found?.event ?? `${method} ${path}`,
    about: found?.messageId ?? '–',
    request: `${method} ${path}`,
    headers,
    body,
    // Looked for where the page shows it alone: a search tries hundreds of computations.
    get signature() {
      return word === 'none'
        ? 'There is none.'
        : (readSignature(delivery) ?? 'Not verified: no secret was given.');
    },
    signatureWord: word,
    answer: answerText(delivery),
    said: forwarded === undefined ? null : (forwarded.failure ?? forwarded.answer),
  };
}

/** Deliveries of one event about one message; any other is by itself. */
function groupOf(delivery: Delivery): string {
  const body = textOf(delivery);
  const found = body === null ? null : eventIn(body);
  return found === null || found.messageId === null
    ? `${delivery.index}`
    : `${found.event} ${found.messageId}`;
}

function textOf({ body, completeMs, bodyBytes }: Delivery): string | null {
  if (completeMs === null || !('text' in body)) return null;
  return Buffer.byteLength(body.text) === bodyBytes ? body.text : null;
}

function signatureWord(delivery: Delivery, secrets: readonly string[]): string {
  const value = delivery.headers.find(([name]) => isSameHeader(name, signatureHeader))?.[1];
  if (value === undefined) return 'none';
  if (secrets.length === 0) return '–';
  return isSigned({ value, body: bytesOf(delivery.body), secrets }) ? 'ok' : '?';
}

function answerText({ forwarded, status, completeMs, arrivedMs, answeredMs }: Delivery): string {
  if (completeMs === null) return 'broke off';
  const own =
    status === null || answeredMs === null
      ? 'not answered'
      : `${status} ${milliseconds(answeredMs - arrivedMs)}`;
  return forwarded === undefined ? own : `${own}, sent on`;
}
