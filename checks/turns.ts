import { settledAfterMs } from '../contract/bounds.ts';
import type { Exchange } from '../contract/exchange.ts';
import { greatestOf } from '../contract/extremes.ts';
import { onceForBoth } from '../contract/once-for-both.ts';
import type { Scope } from '../contract/scopes.ts';
import { probedParts } from './several-schedule.ts';
import { lastOfBefore } from './sorted-history.ts';
import { endedMs, type Step, type Target, type TargetPart } from './steps.ts';

/** When a scope is probed that shares a limit with others. */
export type Turn = {
  /** Once these are done. */
  readonly after: readonly Scope[];
  /** So long after them. */
  readonly pauseMs: number;
};

/** A scope within another one. */
export type Inner = { readonly scope: Scope; readonly parts: readonly TargetPart[] };

/**
 * The turns of the scopes within one, and of that one itself. Together go those whose requests leave room in the outer limits for
 * each other; the next ones wait until these have left. The outer one follows the last of them at once, while they
 * still take places of its limits: so it shows that they do.
 */
export function turnsIn(
  outer: { readonly scope: Scope; readonly parts: readonly TargetPart[] },
  inner: readonly Inner[],
): ReadonlyMap<Scope, Turn> {
  const parts = probedParts(outer.parts);
  const pauseMs = settledAfterMs(greatestOf(parts.map(({ windowMs }) => windowMs)));
  const turns = new Map<Scope, Turn>();
  let [before, now]: [readonly Scope[], readonly Inner[]] = [[], []];
  for (const one of inner) {
    const isRoom = now.length === 0 || parts.every((part) => isRoomFor([...now, one], part));
    if (!isRoom) [before, now] = [now.map(({ scope }) => scope), []];
    now = [...now, one];
    turns.set(one.scope, { after: before, pauseMs: before.length === 0 ? 0 : pauseMs });
  }
  return turns.set(outer.scope, { after: inner.map(({ scope }) => scope), pauseMs: 0 });
}

/** Requests of a probe beside those that fill its limit. */
const besideFills = 40;

/** Whether an outer limit has room for all that the probes of some scopes send within its window. */
function isRoomFor(inner: readonly Inner[], outer: TargetPart): boolean {
  const sent = inner.flatMap(({ parts }) =>
    probedParts(parts).map(({ limit, windowMs }) => {
      const fills = Math.min(fillsMax, Math.ceil(outer.windowMs / windowMs) + 1);
      // What is sent at the pace of a shorter limit leaves no room for others.
      return outer.windowMs < windowMs ? Number.POSITIVE_INFINITY : fills * limit + besideFills;
    }),
  );
  return sent.reduce((sum, one) => sum + one, 0) <= outer.limit;
}

/** How often a probe fills its limit at most. */
const fillsMax = 4;

/** When the last of some probes is over where each begins in its turn, ms after the first one began. */
export function lastEndMs(
  turns: ReadonlyMap<Scope, Turn>,
  scopes: readonly Scope[],
  probeMs: (scope: Scope) => number,
): number {
  const endMs = (scope: Scope): number => {
    const { after = [], pauseMs = 0 } = turns.get(scope) ?? {};
    const beforeMs = after.length === 0 ? 0 : greatestOf(after.map(endMs)) + pauseMs;
    return beforeMs + probeMs(scope);
  };
  return greatestOf(scopes.map(endMs));
}

/** A wait for the turn of a target; `null` where it has come. */
export function untilTurn(
  { after = [], pauseMs = 0 }: Target,
  soFar: readonly Exchange[],
  { nowMs, stepOf }: { readonly nowMs: number; readonly stepOf: (before: Target) => Step },
): Step | null {
  for (const before of after) {
    const known = doneIn(soFar, before);
    if (known.isDone) continue;
    const step = stepOf(before);
    known.isDone = step.kind === 'done';
    if (step.kind === 'done') continue;
    const untilMs = (step.kind === 'wait' ? step.untilMs : nowMs) + lookedAgainMs;
    return { kind: 'wait', why: `until ${before.scope} was probed`, untilMs };
  }
  const last = lastOfBefore({ after }, soFar);
  const dueMs = last === null ? nowMs : endedMs(last) + pauseMs;
  return nowMs < dueMs ? { kind: 'wait', why: 'until the shared limit is free', untilMs: dueMs } : null;
}

const lookedAgainMs = 250;

/** Whether a probe is over by its history: those that wait for it ask often, and one that is over stays so. */
const doneIn = onceForBoth((_soFar: readonly Exchange[], _before: Target) => ({ isDone: false }));
