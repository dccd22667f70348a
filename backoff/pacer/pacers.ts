import {
  answered,
  createPacer,
  idleFromMs,
  type PacedAnswer,
  type Pacer,
  type PacerSettings,
  type Permission,
  permission,
  placesAhead,
  type SendReceipt,
  sent,
  withdrawn,
} from './pacer.ts';

/** The limits of one key and scope, each with a pacer of its own: a request has to pass all of them. */
export type Pacers = {
  permission(nowMs: number, cost: number): Permission;
  /** Places that are free in all of them, as far as is known. */
  placesAhead(nowMs: number): number;
  sent(nowMs: number, cost: number): SentByAll;
  withdrawn(request: SentByAll): void;
  answered(request: SentByAll, answer: PacedAnswer, nowMs: number): void;
  idleFromMs(): number;
};

/** What each pacer said as a request was sent. */
export type SentByAll = readonly SendReceipt[];

/** @param shared limits that others keep to as well, each with the pacer that they have in common. */
export function createPacers(settings: readonly PacerSettings[], shared: readonly Pacer[] = []): Pacers {
  const pacers: readonly Pacer[] = [...settings.map(createPacer), ...shared];
  const each = (request: SentByAll, tell: (pacer: Pacer, sent: SendReceipt) => void): void => {
    for (const [at, pacer] of pacers.entries()) {
      const said = request[at];
      if (said !== undefined) tell(pacer, said);
    }
  };
  return {
    permission: (nowMs, cost) =>
      pacers.map((pacer) => permission(pacer, nowMs, cost)).reduce((one, other) => stricter(one, other)),
    placesAhead: (nowMs) => Math.min(...pacers.map((pacer) => placesAhead(pacer, nowMs))),
    sent: (nowMs, cost) => pacers.map((pacer) => sent(pacer, nowMs, cost)),
    withdrawn: (request) => each(request, withdrawn),
    answered: (request, answer, nowMs) =>
      each(request, (pacer, said) => answered(pacer, said, answer, nowMs)),
    idleFromMs: () => Math.max(...pacers.map(idleFromMs)),
  };
}

/** What both permissions allow: whoever waits for an answer is asked again once it is there. */
function stricter(one: Permission, other: Permission): Permission {
  if (one.kind === 'send' || other.kind === 'answer') return other;
  if (other.kind === 'send' || one.kind === 'answer') return one;
  return one.untilMs >= other.untilMs ? one : other;
}
