import { windowMsAtLeast } from '../../contract/bounds.ts';
import { isRollingIn } from '../../contract/document/document.ts';
import type { Trace } from '../../contract/trace.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { held, inconclusive, type Verdict, violated } from '../../contract/verdict.ts';
import type { Analysis } from '../analysis.ts';
import type { Judge } from '../case.ts';
import type { ClockSteps } from '../clock-steps.ts';
import { inconclusiveBecause } from '../conclude.ts';
import { type Group, groupsOf } from '../entries.ts';
import { evidenceOf, exchangesOf, secondsText } from '../evidence.ts';
import { acrossStep } from '../fits.ts';
import { explainedLengths } from '../lengths.ts';
import { answeredWithinMs } from '../span.ts';
import { exchangesOfLoad, notRun } from './load-case.ts';
import { judgePromisedBurst } from './promised-burst.ts';

/**
 * `load.messages-burst`, `load.media-burst`, `load.nodes`: one burst on an idle key admits exactly the limit. Of a rolling
 * window the burst alone shows what was too much.
 */
export function judgeBurst(scenario: string): Judge {
  const judgePromised = judgePromisedBurst(scenario);
  return (subject) => {
    const { trace, stepped, analyses } = subject;
    const line = trace.loads.findLast((load) => load.scenario === scenario);
    if (line === undefined) return notRun(trace, scenario);
    const group = burstGroup(trace, line);
    if (!isRollingIn(trace.header.deployment.document, group?.scope ?? line.scope))
      return judgePromised(subject);
    const over = group === null ? null : overAdmission(group, stepped);
    if (over !== null) return over;
    if (line.state !== 'complete') return inconclusive(line.reason ?? 'the scenario did not complete');
    if (group === null) return inconclusive('the scenario sent nothing with a valid key');
    const whole = analyses.find((one) => one.group.key === group.key && one.group.scope === group.scope);
    return exactAdmission(group, whole);
  };
}

/** What one scenario sent with its first key to its first scope; `null` where that is nothing. */
function burstGroup(trace: Trace, line: LoadLine): Group | null {
  const groups = groupsOf({ ...trace, exchanges: exchangesOfLoad(trace, line) });
  return groups.find(({ key, scope }) => key === line.key && scope === line.scope) ?? groups[0] ?? null;
}

function overAdmission(group: Group, stepped: ClockSteps): Verdict | null {
  const { limit, entries, windowMs } = group;
  const { highMs, highBy } = explainedLengths({ limit, entries, reading: 'not-counted', refusals: [] });
  if (highMs >= windowMs) return null;
  const by = highBy();
  if (acrossStep(by, group, stepped)) return null;
  const byNode = admittedByNode(group);
  const perNode = byNode.every((count) => count <= limit);
  const nodes = byNode.length > 1 ? `; by node ${byNode.join(', ')}` : '';
  const factor = (group.admitted.length / limit).toFixed(1);
  return violated(
    perNode ? 'counted-per-node' : 'over-admission',
    evidenceOf(
      `at most ${limit} of a burst of ${sentIn(group)} admitted`,
      `${group.admitted.length} admitted within ${secondsText(answeredWithinMs(group.entries))}, ${factor} × the limit${nodes}`,
      exchangesOf(by),
    ),
  );
}

/** Requests as k6 counts them, however often Go sent each. */
function sentIn({ entries }: Group): number {
  return entries.filter(({ isAgain }) => isAgain !== true).length;
}

function admittedByNode({ admitted }: Group): readonly number[] {
  const counts = new Map<number, number>();
  for (const { exchange } of admitted) counts.set(exchange.node, (counts.get(exchange.node) ?? 0) + 1);
  return [...counts].sort(([left], [right]) => left - right).map(([, count]) => count);
}

/**
 * All earlier requests of ours to the same key and scope that the window still held count too. Fewer admissions than
 * the limit are no violation by themselves: one earlier request by somebody else looks the same.
 */
function exactAdmission(burst: Group, whole: Analysis | undefined): Verdict {
  const startMs = burst.entries[0]?.lowMs ?? 0;
  const own = new Set(burst.entries.map(({ exchange }) => exchange.requestId));
  const before = (whole?.group.admitted ?? []).filter(
    ({ exchange, lowMs }) =>
      !own.has(exchange.requestId) && lowMs < startMs && startMs - lowMs < windowMsAtLeast(burst.windowMs),
  ).length;
  const sent = sentIn(burst);
  const other = sent - burst.admitted.length - burst.limited.length;
  const text = `${burst.admitted.length} of ${sent} admitted within ${secondsText(answeredWithinMs(burst.entries))}`;
  if (other > 0) return inconclusive(`${text}; ${other} answered neither 2xx nor 429, or not at all`);
  const wasRefused = burst.limited.length > 0;
  if (burst.admitted.length + before === burst.limit && wasRefused) {
    return held(before === 0 ? text : `${text}, ${before} just before`);
  }
  // The window began anew after what came before: how many pass at once is right all the same.
  const isEmptied = whole?.attribution.kind === 'follows' && whole.attribution.clause === 'window.rolling';
  if (isEmptied && burst.admitted.length === burst.limit && wasRefused) {
    return held(`${text}; ${before} just before no longer counted, since the window does not roll`);
  }
  if (whole?.attribution.kind === 'blamed' && burst.admitted.length + before > burst.limit)
    return inconclusiveBecause(whole.attribution.clause);
  return inconclusive(`${text} instead of ${burst.limit - before}: the key may have been in use before`);
}
