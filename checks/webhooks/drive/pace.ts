import { greatestOf } from '../../../contract/extremes.ts';
import { type DriveAction, type DriveCase, isBurst } from '../../../contract/webhooks/drive/case.ts';
import { delivery } from '../../../contract/webhooks/drive/delivery.ts';
import type { DeliveryLine, DriveHeader } from '../../../contract/webhooks/drive/trace.ts';
import { type Clock, waitUntil } from '../../clock.ts';
import type { Sender } from './sender.ts';

/** Case of the valid events that show how many answers a slow receiver works on at a time; nothing is judged by them. */
const paceCase = 'pace';

/** Answers that are awaited at a time, at most. */
export const atATimeMax = 10;

/** A drive that takes no longer sends one thing after the other: then nothing can disturb anything else. */
const inTurnMsMax = 45_000;

/** How fast a drive goes. */
export type Pace = {
  /** How long the first valid event waited for its answer. */
  readonly latencyMs: number;
  /** How many answers are awaited at a time. */
  readonly atATime: number;
  /** How long the cases that are left will take, about. */
  readonly expectedMs: number;
};

export type PaceOptions = {
  readonly header: DriveHeader;
  /** The cases that are left. */
  readonly cases: readonly DriveCase[];
  readonly first: DeliveryLine;
  /** Answers that may be awaited at a time. */
  readonly atATimeMax: number;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/**
 * The pace for a receiver whose first answer took so long. Where one thing after the other would take too long, valid
 * events at once show how many it answers as fast as one: a receiver that works on one at a time must not be asked for
 * more, or its queue would be taken for slow answers.
 */
export async function paceOf(options: PaceOptions): Promise<Pace> {
  const { header, cases, first, sender, clock, signal } = options;
  const latencyMs = Math.max(1, (first.receivedMs ?? first.sentMs) - first.sentMs);
  const alone = { latencyMs, atATime: 1, expectedMs: expectedMs(cases, { latencyMs, atATime: 1, header }) };
  if (alone.expectedMs <= inTurnMsMax || options.atATimeMax === 1) return alone;
  const timestampSeconds = Math.floor(clock.wallMs() / 1_000);
  const many = Array.from({ length: options.atATimeMax }, (_, at) =>
    delivery(`pace-${at}`, { message: `pace-${at}` }),
  );
  const fromMs = clock.nowMs();
  const lines = await Promise.all(
    many.map((one) => sender.send(one, { caseId: paceCase, timestampSeconds })),
  );
  const asFast = lines.filter((line) => line !== null && isAsFast(line, latencyMs)).length;
  const atATime = Math.max(1, asFast);
  // What is not answered yet is still worked on, and would delay what comes next.
  if (asFast < many.length) await waitUntil(fromMs + many.length * latencyMs, clock, signal);
  return { latencyMs, atATime, expectedMs: expectedMs(cases, { latencyMs, atATime, header }) };
}

function isAsFast({ status, sentMs, receivedMs }: DeliveryLine, latencyMs: number): boolean {
  if (status === null || status > 299 || receivedMs === null) return false;
  return receivedMs - sentMs <= 1.5 * latencyMs;
}

/** Whether a case may be under way beside others: what it sends disturbs nothing, and nothing disturbs it. */
export function canShare(one: DriveCase): boolean {
  return !isBurst(one) && one.actions.every((action) => action.kind !== 'hold' && !looksAtOthers(action));
}

/** What looks at messages of other cases comes after these. */
function looksAtOthers(action: DriveAction): boolean {
  return action.kind === 'effects' && (action.ofOthers !== undefined || action.messages === 'of-burst');
}

type Expected = Pick<Pace, 'latencyMs' | 'atATime'> & {
  readonly header: Pick<DriveHeader, 'burst' | 'effectsWaitMs'>;
};

/** How long cases take, about, where each answer takes as long as the first. */
export function expectedMs(cases: readonly DriveCase[], { atATime, ...facts }: Expected): number {
  const sum = (some: readonly DriveCase[]): number =>
    some.reduce(
      (ms, { actions }) => ms + actions.reduce((all, action) => all + actionMs(action, facts), 0),
      0,
    );
  if (atATime === 1) return sum(cases);
  const shared = cases.filter(canShare);
  const longestMs = Math.max(0, greatestOf(shared.map((one) => sum([one]) / messagesIn(one))));
  return Math.max(longestMs, sum(shared) / atATime) + sum(cases.filter((one) => !canShare(one)));
}

function messagesIn({ actions }: DriveCase): number {
  const [first] = actions;
  return first?.kind === 'in-turn' ? new Set(first.deliveries.map(({ message }) => message)).size : 1;
}

function actionMs(action: DriveAction, { latencyMs, header }: Omit<Expected, 'atATime'>): number {
  switch (action.kind) {
    case 'in-turn':
    case 'on-one-connection':
      return action.deliveries.length * latencyMs;
    case 'at-once':
      return latencyMs;
    case 'effects':
      return action.awaited === 'nothing' ? header.effectsWaitMs : 0;
    case 'rest':
      return header.effectsWaitMs;
    case 'hold':
      return 0;
    case 'burst':
      return header.burst.seconds * 1_000 + latencyMs;
    default:
      return action satisfies never;
  }
}

/**
 * A sender for cases that share their time: at most so many of the deliveries that come in turn are under way. Those of
 * one message keep their order; those of others go beside them.
 */
export function sharingSender(sender: Sender, atATime: number): Sender {
  const inTurnAmong = turns(atATime);
  return {
    ...sender,
    inTurn: async (deliveries, sending) => {
      const byMessage = [...Map.groupBy(deliveries, ({ message }) => message).values()];
      const lines = await Promise.all(
        byMessage.map(async (same) => {
          const own: DeliveryLine[] = [];
          for (const one of same) own.push(...(await inTurnAmong(() => sender.inTurn([one], sending))));
          return own;
        }),
      );
      return lines.flat().toSorted((a, b) => a.index - b.index);
    },
  };
}

/** Lets so many things happen at a time; the others wait for their turn. */
function turns(atATime: number) {
  const waiting: (() => void)[] = [];
  let free = atATime;
  return async <Result>(act: () => Promise<Result>): Promise<Result> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
