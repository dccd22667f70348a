import { milliseconds, seconds } from '../../../contract/quantities.ts';
import type { DeliveryLine } from '../../../contract/webhooks/drive/trace.ts';
import { caseWord, driveCountsText, driveWords } from '../../drive/case-text.ts';
import type { CaseResult, DriveReport } from '../../drive/drive-result.ts';
import { outcomeTones } from '../../outcome.ts';
import { verdictTone } from '../../verdict-text.ts';
import { chosenDeliveries } from './chosen-deliveries.ts';
import type { DeliveriesPage, PageDelivery } from './page-delivery.ts';

export type DrivePage = {
  readonly report: DriveReport;
  readonly deliveries: readonly DeliveryLine[];
  readonly folder: string;
};

/** What the page of a drive shows. */
export function drivePage({ report, deliveries, folder }: DrivePage): DeliveriesPage {
  const { target, outcome, startedAt, durationSeconds, tool, runId, outcomeReasons, cases } = report;
  const word = driveWords[outcome];
  const flawed = new Set(
    cases.flatMap(({ verdict }) =>
      verdict.kind === 'violated' ? verdict.deliveries.map(({ index }) => index) : [],
    ),
  );
  return {
    title: `${word}: webhooks sent to ${target}`,
    of: `webhooks sent to ${target}`,
    word: word.charAt(0) + word.slice(1).toLowerCase(),
    tone: outcomeTones[outcome],
    counts: driveCountsText(report),
    notices: outcome === 'conformant' ? [] : outcomeReasons,
    facts: [
      ['Started', startedAt],
      ['Duration', seconds(durationSeconds * 1_000, 1)],
      ['Deliveries', String(deliveries.length)],
      ['Run', runId],
      ['By', `${tool.name} ${tool.version}`],
    ],
    verdicts: cases.map((one) => ({
      id: one.id,
      title: one.title,
      word: caseWord(one),
      tone: verdictTone(one),
      said: saidOf(one),
    })),
    deliveries: chosenDeliveries({
      items: deliveries,
      groupOf: (line) => line.case,
      isFlawed: ({ index }) => flawed.has(index),
      parts: ({ headers, body }) => ({ headers, body: textOf(body) }),
      shown: (line) => shown(line, report),
    }),
    folder,
  };
}

function saidOf({ verdict }: CaseResult): string {
  switch (verdict.kind) {
    case 'held':
      return verdict.summary;
    case 'violated':
      return `${verdict.observed}; ${verdict.likely}`;
    case 'inconclusive':
    case 'not-applicable':
      return verdict.reason;
    case 'crashed':
      return verdict.message;
    default:
      return verdict satisfies never;
  }
}

function textOf(body: DeliveryLine['body']): string | null {
  return 'text' in body ? body.text : null;
}

function shown(line: DeliveryLine, { target }: DriveReport): PageDelivery {
  const { index, sentMs, receivedMs, status, failure, answer, headers, body, messageId, name } = line;
  return {
    index,
    atMs: sentMs,
    name: `${line.case} ${name}`,
    about: messageId,
    request: `POST ${URL.canParse(target) ? new URL(target).pathname : '/'}`,
    headers,
    body: textOf(body),
    signature: 'Made by this program for this case: its description says how.',
    signatureWord: '',
    answer:
      status === null || receivedMs === null
        ? (failure ?? 'no answer')
        : `${status} ${milliseconds(receivedMs - sentMs)}`,
    said: answer,
  };
}
