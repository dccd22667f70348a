import { windowMsAtLeast } from '../contract/bounds.ts';
import type { LoadLine, Trace } from '../contract/trace.ts';
import { held, inconclusive, notApplicable, type Verdict, violated } from '../contract/verdict.ts';
import type { Judge } from './case.ts';
import { type Group, groupsOf } from './entries.ts';
import { evidenceOf, exchangesOf, secondsText } from './evidence.ts';
import { explainedLengths } from './lengths.ts';

/** `load.<scenario>`: one burst on an idle key admits exactly the limit. */
export function judgeBurst(scenario: string): Judge {
  return ({ trace }) => {
    const line = trace.loads.findLast((load) => load.scenario === scenario);
    if (line === undefined) return notApplicable('not run: the load suite was left out');
    const group = burstGroup(trace, line);
    const over = group === null ? null : overAdmission(group);
    if (over !== null) return over;
    if (line.state !== 'complete') return inconclusive(line.reason ?? 'the scenario did not complete');
    if (group === null) return inconclusive('the scenario left no exchange with a valid key');
    return exactAdmission(trace, group);
  };
}

/** What one scenario sent with its key; `null` where that is nothing. */
export function burstGroup(trace: Trace, line: LoadLine): Group | null {
  const exchanges = trace.exchanges.filter(
    ({ driver, scope, key }) => driver === 'k6' && scope === line.scope && key !== null && key === line.key,
  );
  return groupsOf({ ...trace, exchanges })[0] ?? null;
}

/** From the first request sent to the last answer, ms; requests without an answer are left out. */
export function spanMsOf(group: Group): number {
  const ends = group.entries.map((entry) => entry.highMs).filter(Number.isFinite);
  return Math.max(...ends, group.entries[0]?.lowMs ?? 0) - (group.entries[0]?.lowMs ?? 0);
}

function overAdmission(group: Group): Verdict | null {
  const { limit, entries, windowMs } = group;
  const { highMs, highBy } = explainedLengths({ limit, entries, reading: 'not-counted', refusals: [] });
  if (highMs >= windowMs) return null;
  return violated(
    'over-admission',
    evidenceOf(
      `at most ${limit} of a burst of ${entries.length} admitted`,
      `${group.admitted.length} admitted within ${secondsText(spanMsOf(group))}`,
      exchangesOf(highBy),
    ),
  );
}

/**
 * All earlier requests of ours to the same key and scope that the window still held count too. Fewer admissions than
 * the limit are no violation by themselves: one earlier request by somebody else looks the same.
 */
function exactAdmission(trace: Trace, burst: Group): Verdict {
  const startMs = burst.entries[0]?.lowMs ?? 0;
  const whole = groupsOf(trace).find(({ key, scope }) => key === burst.key && scope === burst.scope);
  const before = (whole?.admitted ?? []).filter(
    ({ exchange, lowMs }) => exchange.driver !== 'k6' && startMs - lowMs < windowMsAtLeast(burst.windowMs),
  ).length;
  const other = burst.entries.length - burst.admitted.length - burst.limited.length;
  const text = `${burst.admitted.length} of ${burst.entries.length} admitted within ${secondsText(spanMsOf(burst))}`;
  if (other > 0) return inconclusive(`${text}; ${other} answered neither 2xx nor 429, or not at all`);
  if (burst.admitted.length + before === burst.limit && burst.limited.length > 0) {
    return held(before === 0 ? text : `${text}, ${before} just before`);
  }
  return inconclusive(`${text} instead of ${burst.limit - before}: the key may have been in use before`);
}
