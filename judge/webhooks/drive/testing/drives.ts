import { burstEvents, burstMessage } from '../../../../contract/webhooks/drive/burst-messages.ts';
import {
  awaitedIn,
  deliveriesOf,
  isBurst,
  messageIdOf,
  messagesAskedIn,
} from '../../../../contract/webhooks/drive/case.ts';
import type { Expectation } from '../../../../contract/webhooks/drive/cases/words.ts';
import { later } from '../../../../contract/webhooks/drive/delivery.ts';
import { driveCases } from '../../../../contract/webhooks/drive/registry.ts';
import {
  type DeliveryLine,
  type DriveTrace,
  driveTraceSchemaVersion,
  type EffectLine,
} from '../../../../contract/webhooks/drive/trace.ts';

const header: DriveTrace['header'] = {
  kind: 'webhook-drive',
  schemaVersion: driveTraceSchemaVersion,
  tool: { name: 'test', version: '0' },
  runId: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  target: 'http://127.0.0.1:3000/hooks',
  secretEnv: ['NEW', 'OLD'],
  effects: 'http://127.0.0.1:3000/effects',
  budgetMs: 5_000,
  effectsWaitMs: 1_000,
  burst: { eventsPerSecond: 15, seconds: 2 },
  cases: driveCases.map(({ id }) => id),
};

const goodStatus: Readonly<Record<Expectation, number>> = {
  accepted: 200,
  refused: 401,
  survived: 204,
  'not-accepted': 400,
  anything: 401,
};

export type Delivered = Pick<DeliveryLine, 'case' | 'name' | 'status'>;

/** A delivery of the test's run, answered after 10 ms. */
export function delivered(what: Delivered, message = what.name): Omit<DeliveryLine, 'index'> {
  const messageId = messageIdOf({ runId: header.runId, caseId: what.case, message });
  const at = { dueMs: 1_000, sentMs: 1_000, receivedMs: 1_010 };
  return {
    kind: 'delivery',
    ...what,
    messageId,
    headers: [],
    body: { text: '' },
    ...at,
    answer: '',
    failure: null,
    stalledMs: 0,
  };
}

const inBurst = (burst: DriveTrace['header']['burst']) =>
  Array.from({ length: burstEvents(burst) }, (_, at) => ({
    name: `event-${at}`,
    message: burstMessage(at),
    expects: 'accepted' as const,
  }));

/** The trace of a receiver that keeps to every case. */
export function goodDrive(change: Partial<DriveTrace['header']> = {}): DriveTrace {
  const given = { ...header, ...change };
  const deliveries = driveCases
    .flatMap((one) =>
      (isBurst(one) ? inBurst(given.burst) : deliveriesOf(one)).map(({ name, message, expects }) =>
        delivered({ case: one.id, name, status: goodStatus[expects] }, message),
      ),
    )
    .map((line, index) => ({ ...line, index }));
  const effects = driveCases.flatMap((one): EffectLine[] => {
    const step = awaitedIn(one);
    if (step === null) return [];
    const handled: EffectLine['found'] = { kind: 'known', state: 'read', handled: 1 };
    const look = (caseId: string, message: string, found: EffectLine['found']): EffectLine => ({
      kind: 'effect',
      case: one.id,
      messageId: messageIdOf({ runId: header.runId, caseId, message }),
      atMs: 2_000,
      found,
    });
    const found = step.awaited === 'nothing' ? ({ kind: 'unknown' } as const) : handled;
    return [
      look(one.id, later.message, handled),
      ...messagesAskedIn(one, given).map(({ caseId, message }) => look(caseId, message, found)),
    ];
  });
  const end = { kind: 'end', endedAt: header.startedAt, complete: true, reason: null } as const;
  return { header: given, deliveries, effects, notes: [], end };
}

/** The same trace with other lines of one case. */
export function altered(
  trace: DriveTrace,
  id: string,
  change: (line: DeliveryLine, at: number) => Partial<DeliveryLine> | null,
): DriveTrace {
  let at = 0;
  const deliveries = trace.deliveries.flatMap((line) => {
    if (line.case !== id) return [line];
    const changed = change(line, at);
    at += 1;
    return changed === null ? [] : [{ ...line, ...changed }];
  });
  return { ...trace, deliveries };
}
