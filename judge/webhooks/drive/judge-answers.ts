import { greatestOf } from '../../../contract/extremes.ts';
import { interrupted, isUnreached } from '../../../contract/unreachable.ts';
import {
  type AnswerFault,
  answerFault,
  answerMs,
  isSuccess,
  refusalFault,
} from '../../../contract/webhooks/drive/answer-faults.ts';
import { burstEvents } from '../../../contract/webhooks/drive/burst-messages.ts';
import { type DriveCase, deliveriesOf, isBurst } from '../../../contract/webhooks/drive/case.ts';
import { forgedCases } from '../../../contract/webhooks/drive/cases/forged.ts';
import { toleratedCases } from '../../../contract/webhooks/drive/cases/tolerated.ts';
import {
  type DeliveryLine,
  type DriveTrace,
  goneMeanwhile,
  interruptedMeanwhile,
} from '../../../contract/webhooks/drive/trace.ts';
import type { DriveVerdict } from '../../../contract/webhooks/drive/verdict.ts';
import { latenessMs } from './burst.ts';
import { meaningOfSuccess } from './forgeries.ts';
import { likelyCause } from './likely-cause.ts';
import { failedCase, openCase } from './verdicts.ts';

/** Judges how all forgeries together were refused. */
export function judgeRefusals(one: DriveCase, trace: DriveTrace): DriveVerdict {
  const ids = new Set(forgedCases.map(({ id }) => id));
  const lines = trace.deliveries.filter((line) => ids.has(line.case));
  if (lines.length === 0) return { kind: 'not-applicable', reason: 'no forgery was sent' };
  const gone = goneIn(lines, trace);
  const faults = lines.flatMap((line): readonly Wrong[] => {
    const fault = gone.has(line) ? null : refusalFault(line, trace.header.budgetMs);
    return fault === null ? [] : [{ line, fault }];
  });
  const [first] = faults;
  if (first === undefined && gone.size > 0) return openCase(whyGone(trace));
  if (first === undefined) return { kind: 'held', summary: summaryOf(lines) };
  return failed(faults, { all: lines.length, likely: likelyCause(one, first.line, trace) });
}

/** Judges how the events were answered that may be refused; one that failed by an error is blamed by its own case. */
export function judgeUnannounced(one: DriveCase, trace: DriveTrace): DriveVerdict {
  const lines = trace.deliveries.filter((line) => isUnannounced(line) && (line.status ?? 500) < 500);
  if (lines.length === 0) return { kind: 'not-applicable', reason: 'no such event was answered' };
  const faults = lines.flatMap((line): readonly Wrong[] => {
    const fault = answerFault(line, { expects: 'accepted', budgetMs: Number.POSITIVE_INFINITY });
    return fault === null ? [] : [{ line, fault }];
  });
  const [first] = faults;
  if (first === undefined) return { kind: 'held', summary: summaryOf(lines) };
  return failed(faults, { all: lines.length, likely: likelyCause(one, first.line, trace) });
}

function isUnannounced(line: DeliveryLine): boolean {
  const one = toleratedCases.find(({ id }) => id === line.case);
  if (one === undefined) return false;
  return deliveriesOf(one).some(({ name, expects }) => name === line.name && expects === 'survived');
}

type Wrong = { readonly line: DeliveryLine; readonly fault: AnswerFault };

/** Judges what was answered to the deliveries of a case. */
export function judgeAnswers(one: DriveCase, trace: DriveTrace): DriveVerdict {
  const { header } = trace;
  const lines = trace.deliveries.filter((line) => line.case === one.id);
  if (lines.length > 0 && lines.every(({ failure }) => failure !== null && isUnreached(failure))) {
    return openCase(`${header.target} could not be reached: ${lines[0]?.failure}`);
  }
  const gone = goneIn(lines, trace);
  const wrong = lines.flatMap((line) => (gone.has(line) ? [] : wrongIn(one, line, trace)));
  const faults = wrong.filter(({ fault }) => fault.kind === 'fault');
  const [first] = faults;
  if (first !== undefined) {
    const lateMs = isBurst(one) ? latenessMs(lines) : 0;
    return lateMs > header.budgetMs / 2
      ? openCase(`this machine was too busy: it sent up to ${Math.round(lateMs)} ms too late`)
      : failed(faults, { all: lines.length, likely: likelyCause(one, first.line, trace) });
  }
  if (gone.size > 0) return openCase(whyGone(trace));
  const [unclear] = wrong;
  if (unclear !== undefined) return openCase(openText(unclear));
  const expected = isBurst(one) ? burstEvents(header.burst) : deliveriesOf(one).length;
  return lines.length < expected
    ? openCase(`the run ended after ${lines.length} of ${expected} deliveries`)
    : { kind: 'held', summary: `${summaryOf(lines)}${refusalText(one, lines)}` };
}

/** Why a drive ended in which another case may have ended the receiver, though it was not seen to be gone. */
const provesNothing: readonly (string | null | undefined)[] = [goneMeanwhile, interruptedMeanwhile];

/** Deliveries without an answer that prove nothing: another case may have ended the receiver, or the user the drive. */
function goneIn(lines: readonly DeliveryLine[], { end }: DriveTrace): ReadonlySet<DeliveryLine> {
  return new Set(
    lines.filter(
      ({ failure }) => failure === interrupted || (failure !== null && provesNothing.includes(end?.reason)),
    ),
  );
}

function whyGone({ end }: DriveTrace): string {
  return end?.reason ?? interrupted;
}

function openText({ line, fault }: Wrong): string {
  // What is said of all forgeries alike names none of them.
  return fault.reason === 'accepted' ? fault.observed : `${line.name}: ${fault.observed}`;
}

function wrongIn(one: DriveCase, line: DeliveryLine, trace: DriveTrace): readonly Wrong[] {
  const expects = isBurst(one)
    ? 'accepted'
    : deliveriesOf(one).find(({ name }) => name === line.name)?.expects;
  if (expects === undefined) throw new Error(`${one.id} has no delivery "${line.name}"`);
  const found = answerFault(line, { expects, budgetMs: trace.header.budgetMs });
  const fault = expects === 'refused' && found?.reason === 'accepted' ? meaningOfSuccess(line, trace) : found;
  return fault === null ? [] : [{ line, fault }];
}

function failed(
  faults: readonly Wrong[],
  { all, likely }: { readonly all: number; readonly likely: string },
): DriveVerdict {
  const [{ line, fault }] = faults as readonly [Wrong, ...Wrong[]];
  const name = all === 1 ? '' : `${line.name}: `;
  const more = faults.length === 1 ? '' : `; ${faults.length} of ${all} deliveries failed`;
  const observed = `${name}${fault.observed}${more}`;
  return failedCase(
    { reason: fault.reason, observed, likely },
    faults.map((wrong) => wrong.line),
  );
}

/** What kind of refusal it was, where it was no plain one. */
function refusalText(one: DriveCase, lines: readonly DeliveryLine[]): string {
  if (!deliveriesOf(one).some(({ expects }) => expects === 'refused')) return '';
  const isDropped = lines.some(({ status }) => isSuccess(status));
  const isThrown = lines.some(({ status }) => status !== null && status >= 500);
  const dropped = isDropped ? '; dropped in silence: a 2xx without an effect' : '';
  return `${dropped}${isThrown ? '; a 5xx: not processed, but by an exception' : ''}`;
}

function summaryOf(lines: readonly DeliveryLine[]): string {
  const statuses = [...new Set(lines.map(({ status }) => (status === null ? 'no answer' : String(status))))];
  const slowestMs = Math.max(0, greatestOf(lines.flatMap((line) => answerMs(line) ?? [])));
  const count = lines.length === 1 ? '' : `${lines.length} deliveries: `;
  const broken = lines.filter(({ resets = 0 }) => resets > 0).length;
  const again = broken === 0 ? '' : `; ${broken} sent again because the connection broke`;
  return `${count}${statuses.join(', ')}, within ${Math.ceil(slowestMs)} ms${again}`;
}
