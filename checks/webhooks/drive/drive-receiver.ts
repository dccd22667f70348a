import { plainTransport, type Transport } from '../../../contract/transport.ts';
import { interrupted } from '../../../contract/unreachable.ts';
import { isAccepted } from '../../../contract/webhooks/drive/answer-faults.ts';
import { type DriveCase, messageIdOf, needsMet } from '../../../contract/webhooks/drive/case.ts';
import { firstCase } from '../../../contract/webhooks/drive/cases/valid.ts';
import { type Delivery, delivery } from '../../../contract/webhooks/drive/delivery.ts';
import { diagnoses, diagnosisCase } from '../../../contract/webhooks/drive/diagnosis.ts';
import {
  type DeliveryLine,
  type DriveHeader,
  type EffectLine,
  goneMeanwhile,
  interruptedMeanwhile,
} from '../../../contract/webhooks/drive/trace.ts';
import type { Clock } from '../../clock.ts';
import { isUnreachable } from '../../failures.ts';
import { openStallMeter } from '../../stalls.ts';
import { composeBody } from './compose-body.ts';
import { comeBackMsMax, untilListening } from './connections.ts';
import { openEffects } from './effects.ts';
import { canShare, type Pace, paceOf, sharingSender } from './pace.ts';
import { waysTo } from './receiver-way.ts';
import { type CaseContext, sendCase } from './send-case.ts';
import { openSender } from './sender.ts';

export type DriveEvent =
  | { readonly kind: 'case'; readonly one: DriveCase }
  | { readonly kind: 'case-ended'; readonly one: DriveCase }
  /** How long what is left will take. */
  | { readonly kind: 'paced'; readonly pace: Pace }
  | { readonly kind: 'delivered'; readonly line: DeliveryLine }
  | { readonly kind: 'waiting'; readonly why: string; readonly untilMs: number };

export type DriveOptions = {
  /** The target and the settings: the first line of the trace. */
  readonly header: DriveHeader;
  readonly cases: readonly DriveCase[];
  /** How requests get to the receiver, and to the address of its effects; default: straight. */
  readonly transport?: Transport;
  readonly secrets: readonly [string, ...string[]];
  /** Headers of every delivery that stay out of its line. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly wrongSecret: string;
  /** What receivers may expect in place of the right signature; left out, the most common mistakes alone are tried. */
  readonly candidates?: (request: UnsignedRequest) => readonly CandidateSignature[];
  readonly userAgent: string;
  /** Answers that may be awaited at a time where the receiver is slow; 1 sends one thing after the other. */
  readonly atATimeMax: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onLine: (line: DeliveryLine | EffectLine) => void;
  readonly onNote: (text: string) => void;
  readonly onEvent: (event: DriveEvent) => void;
};

/** How a drive ended: `null` where every case was sent. */
export type DriveOutcome = { readonly reason: string | null };

/**
 * Sends every case to a receiver, one after the other; to a slow one several at a time, as far as it works on several.
 * Never throws because of the receiver.
 */
export async function driveReceiver(options: DriveOptions): Promise<DriveOutcome> {
  const driving = openDriving(options);
  const cases = options.cases.filter((candidate) => needsMet(candidate, options.header));
  try {
    const first = cases.filter(({ id }) => id === firstCase);
    const begun = await oneByOne(first, driving);
    if (begun.reason !== null) return { reason: begun.reason };
    const others = cases.filter(({ id }) => id !== firstCase);
    const atATime = await paced(others, begun.lines, driving);
    if (atATime === 1) return await oneByOne(others, driving);
    const shared = await together(others.filter(canShare), atATime, driving);
    return shared.reason === null
      ? await oneByOne(
          others.filter((one) => !canShare(one)),
          driving,
        )
      : shared;
  } finally {
    driving.stalls.close();
    await driving.effects?.close();
  }
}

type Sent = DriveOutcome & { readonly lines: readonly DeliveryLine[] };

async function oneByOne(cases: readonly DriveCase[], driving: Driving): Promise<Sent> {
  const all: DeliveryLine[] = [];
  for (const one of cases) {
    const lines = await wholeCase(one, driving);
    all.push(...lines);
    if (driving.signal.aborted) return { reason: interrupted, lines: all };
    const stop = await stopAfter(one, lines, driving);
    if (stop !== null) return { reason: stop, lines: all };
  }
  return { reason: null, lines: all };
}

async function wholeCase(one: DriveCase, driving: Driving): Promise<readonly DeliveryLine[]> {
  driving.onEvent({ kind: 'case', one });
  const lines = await sendCase(one, driving);
  driving.onEvent({ kind: 'case-ended', one });
  return lines;
}

/** How many answers to await at a time, once the first one is known. */
async function paced(
  cases: readonly DriveCase[],
  [first]: readonly DeliveryLine[],
  driving: Driving,
): Promise<number> {
  if (first === undefined || cases.length === 0) return 1;
  const pace = await paceOf({ ...driving, cases, first });
  driving.onEvent({ kind: 'paced', pace });
  return pace.atATime;
}

/** All of them at once, as far as a sender lets them. Where the receiver goes away meanwhile, no case can be blamed. */
async function together(
  cases: readonly DriveCase[],
  atATime: number,
  driving: Driving,
): Promise<DriveOutcome> {
  const sharing = { ...driving, sender: sharingSender(driving.sender, atATime) };
  const lines = await Promise.all(cases.map((one) => wholeCase(one, sharing)));
  if (driving.signal.aborted) return { reason: interruptedMeanwhile };
  const isGone = lines.flat().some(({ failure }) => failure !== null && isUnreachable(failure));
  return { reason: isGone ? goneMeanwhile : null };
}

type Driving = DriveOptions & CaseContext;

function openDriving(options: DriveOptions): Driving {
  const { header, clock, signal, onLine, onEvent } = options;
  const { secrets, secretHeaders = {}, wrongSecret, userAgent, transport = plainTransport } = options;
  const addresses = [header.target, ...(header.effects === null ? [] : [header.effects])];
  const [way, toEffects] = waysTo(
    addresses.map((text) => new URL(text)),
    { transport, budgetMs: header.budgetMs },
  );
  if (way === undefined) throw new Error('a drive has a target');
  const stalls = openStallMeter(clock.nowMs);
  const sender = openSender({
    way,
    secrets,
    secretHeaders,
    wrongSecret,
    runId: header.runId,
    userAgent,
    budgetMs: header.budgetMs,
    clock,
    stalls,
    signal,
    onLine: (line) => {
      onLine(line);
      onEvent({ kind: 'delivered', line });
    },
  });
  const effects = toEffects === undefined ? null : openEffects(toEffects);
  return { ...options, way, sender, effects, stalls };
}

/** Why no case is sent after this one; `null` where the next one can follow. */
async function stopAfter(
  one: DriveCase,
  lines: readonly DeliveryLine[],
  driving: Driving,
): Promise<string | null> {
  const { header, way, clock, signal } = driving;
  if (one.id === firstCase) {
    const [line] = lines;
    if (line === undefined || isAccepted(line, header.budgetMs)) return null;
    if (line.failure !== null && isUnreachable(line.failure))
      return `${header.target} could not be reached: ${line.failure}`;
    await diagnose(line, driving);
    return 'a valid event was not accepted, so no other case would prove anything';
  }
  if (lines.every(({ failure }) => failure === null)) return null;
  const why = 'the receiver stopped listening';
  const onWait = (untilMs: number): void => driving.onEvent({ kind: 'waiting', why, untilMs });
  const waitedMs = await untilListening(way, { clock, signal, onWait });
  if (waitedMs === null)
    return `after ${one.id} nothing listened at ${way.target.host} for ${comeBackMsMax / 1_000} s`;
  if (waitedMs > 0 && lines.some(({ failure }) => failure !== null && isUnreachable(failure))) {
    driving.onNote(
      `after ${one.id} the receiver stopped listening; it was back ${Math.round(waitedMs)} ms later`,
    );
  }
  return null;
}

/** A value that a receiver may expect, and the computation that gives it. */
export type CandidateSignature = { readonly what: string; readonly value: string };

/** The request that candidates are for. */
export type UnsignedRequest = { readonly body: Buffer; readonly target: URL };

/** A receiver that takes long over each answer is not asked about every candidate. */
const diagnosisMsMax = 15_000;

/**
 * Where a valid event was refused for its signature: tries what receivers compute when they misread the convention, until
 * one value is accepted.
 */
async function diagnose({ status }: DeliveryLine, driving: Driving): Promise<void> {
  if (status === null || status < 400 || status >= 500 || [404, 405, 411, 413, 415, 429].includes(status))
    return;
  const { sender, clock, header, signal, way } = driving;
  const untilMs = clock.nowMs() + diagnosisMsMax;
  const timestampSeconds = Math.floor(clock.wallMs() / 1_000);
  const sending = { caseId: diagnosisCase, timestampSeconds };
  const tried = async (one: Delivery, signatureValue?: string): Promise<boolean> => {
    const value = signatureValue === undefined ? {} : { signatureValue };
    const line = await sender.send(one, { ...sending, ...value });
    return line !== null && isAccepted(line, header.budgetMs);
  };
  for (const [signature] of diagnoses) {
    if (signal.aborted || clock.nowMs() >= untilMs) return;
    if (await tried(delivery(signature, { signature }))) return;
  }
  // Text that serialisers write in different ways, so that the values differ.
  const body = composeBody({
    content: 'received',
    form: 'unescaped',
    messageId: messageIdIn(header),
    timestampSeconds,
  });
  for (const { what, value } of driving.candidates?.({ body, target: way.target }) ?? []) {
    if (signal.aborted || clock.nowMs() >= untilMs) return;
    if (await tried(delivery(what, { message: candidate, form: 'unescaped' }), value)) return;
  }
}

/** The message of all candidates: they have one body. */
const candidate = 'candidate';

function messageIdIn({ runId }: DriveHeader): string {
  return messageIdOf({ runId, caseId: diagnosisCase, message: candidate });
}
