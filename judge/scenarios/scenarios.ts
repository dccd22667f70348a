import { windowMsAtLeast, windowMsAtMost } from '../../contract/bounds.ts';
import type { LoadClauseId } from '../../contract/clauses/load.ts';
import { held, inconclusive, notApplicable, observed, type Verdict } from '../../contract/verdict.ts';
import type { Judge } from '../case.ts';
import { concluded, heldIfKnown, lengthText, wasSaturatedTwice, watchedText } from '../conclude.ts';
import type { Entry } from '../entries.ts';
import { latencyText } from '../latencies.ts';
import { judgeBurst } from './burst.ts';
import {
  admittedIn,
  judgeScenario,
  type LoadCase,
  type LoadPart,
  loadCaseOf,
  unexpectedIn,
} from './load-case.ts';

/** `load.rolling-window` */
const judgeRollingWindow: Judge = judgeScenario('rolling-window', (load) => {
  const strange = unexpected(load);
  if (strange !== null) return strange;
  const unseen = load.parts.find((part) => !sawReturn(part));
  if (unseen !== undefined)
    return inconclusive(
      `capacity was not seen returning at ${unseen.analysis.group.scope}: ${countText(unseen)}`,
    );
  const known = load.parts.map(({ analysis }) =>
    heldIfKnown(analysis, (measured) => `${analysis.group.scope} ${lengthText(measured)}`),
  );
  return concluded(known, 'capacity was not seen returning');
});

/** `load.over-pressure` */
const judgeOverPressure: Judge = judgeScenario('over-pressure', (load) => {
  const strange = unexpected(load);
  if (strange !== null) return strange;
  const unjudged = load.parts.find((part) => !sawJudgedRefusal(part));
  if (unjudged !== undefined)
    return inconclusive(`no refusal at ${unjudged.analysis.group.scope} was late enough to be judged`);
  const watched = watchedText(load.parts.flatMap(({ entries }) => entries));
  return held(`${load.parts.map(countText).join('; ')}; ${watched}`);
});

/** `load.sustained` */
const judgeSustained: Judge = judgeScenario('sustained', (load) => {
  const strange = unexpected(load);
  if (strange !== null) return strange;
  const limited = load.exchanges.filter(({ outcome }) => outcome === 'limited');
  const [first] = limited;
  if (first === undefined) return held(`all ${load.exchanges.length} admitted`);
  return inconclusive(
    `${limited.length} of ${load.exchanges.length} got a 429, the first at ${first.scope}: the key may have been in use before`,
  );
});

/** `load.mixed-scopes` */
const judgeMixedScopes: Judge = judgeScenario('mixed-scopes', (load) => {
  const strange = unexpected(load);
  if (strange !== null) return strange;
  return filledToTheLimit(load.parts, ({ exchange }) => exchange.purpose !== 'anchor');
});

/** `load.noisy-neighbour` */
const judgeNoisyNeighbour: Judge = judgeScenario('noisy-neighbour', (load) => {
  const strange = unexpected(load);
  if (strange !== null) return strange;
  const flood = load.exchanges.filter(({ purpose }) => purpose === 'flood');
  const beside = load.exchanges.filter(({ purpose }) => purpose === 'beside-flood');
  const refused = beside.length - admittedIn(beside).length;
  if (beside.length === 0 || flood.length === 0)
    return inconclusive('the neighbour and the flood did not both send');
  if (refused > 0)
    return inconclusive(`${refused} of ${beside.length} got a 429: the key may have been in use before`);
  return held(`all ${beside.length} requests of the neighbour admitted, beside ${flood.length} of the flood`);
});

/** `load.many-keys` */
const judgeManyKeys: Judge = judgeScenario('many-keys', (load) => {
  const strange = unexpected(load);
  if (strange !== null) return strange;
  const once = load.exchanges.filter(({ purpose }) => purpose !== 'fill');
  const refused = once.length - admittedIn(once).length;
  const keys = new Set(load.exchanges.map(({ key }) => key)).size;
  if (refused > 0)
    return inconclusive(`${refused} of ${once.length} got a 429: the keys may have been in use before`);
  const isFill = ({ exchange }: Entry): boolean => exchange.purpose === 'fill';
  const filled = load.parts.filter(({ entries }) => entries.some(isFill));
  const verdict = filledToTheLimit(filled, isFill);
  return verdict.kind === 'held'
    ? held(`${keys} keys, none refused because of another; ${verdict.summary}`)
    : verdict;
});

/** `load.latency` */
const judgeLatency: Judge = observing('over-pressure', ({ exchanges }) => {
  const limited = exchanges.filter(({ outcome }) => outcome === 'limited');
  return observed(`2xx ${latencyText(admittedIn(exchanges))}; 429 ${latencyText(limited)}`);
});

/** `load.neighbour-latency` */
const judgeNeighbourLatency: Judge = observing('noisy-neighbour', ({ exchanges }) => {
  const of = (purpose: string) => exchanges.filter((exchange) => exchange.purpose === purpose);
  return observed(`alone ${latencyText(of('alone'))}; beside the flood ${latencyText(of('beside-flood'))}`);
});

/** `load.keys-cost` */
const judgeKeysCost: Judge = observing('many-keys', ({ exchanges }) => {
  const rungs = Map.groupBy(exchanges, ({ purpose }) => Number(/^keys-(\d+)$/.exec(purpose)?.[1] ?? 0));
  const parts = [...rungs].filter(([keys]) => keys > 0).sort(([left], [right]) => left - right);
  return observed(
    parts.map(([keys, sent]) => `${keys} ${keys === 1 ? 'key' : 'keys'} ${latencyText(sent)}`).join('; '),
  );
});

function observing(scenario: string, say: (load: LoadCase) => Verdict): Judge {
  return (subject) => {
    const load = loadCaseOf(subject, scenario);
    if (load === null) return notApplicable(`not shown: needs the load scenario ${scenario}`);
    return load.exchanges.length === 0 ? inconclusive('nothing was sent') : say(load);
  };
}

function unexpected({ exchanges }: LoadCase): Verdict | null {
  const other = unexpectedIn(exchanges);
  if (other === 0) return null;
  return inconclusive(`${other} of ${exchanges.length} answered neither 2xx nor 429, or not at all`);
}

/** Its own waves filled the window and found it full again, one window later. */
function sawReturn({ analysis, admitted, limited }: LoadPart): boolean {
  return wasSaturatedTwice(analysis) && admitted.length > analysis.group.limit && limited.length > 0;
}

function sawJudgedRefusal({ analysis, limited }: LoadPart): boolean {
  const { group, judgedRefusals } = analysis;
  return judgedRefusals > 0 && limited.some(({ lowMs }) => lowMs >= group.settledMs);
}

/** Whether what was sent at once got exactly what the window had room for, whoever had filled the rest of it. */
function filledToTheLimit(parts: readonly LoadPart[], isAtOnce: (entry: Entry) => boolean): Verdict {
  const texts: string[] = [];
  for (const part of parts) {
    const { group } = part.analysis;
    const atOnce = part.admitted.filter(isAtOnce).length;
    const { surely, perhaps } = placesTaken(part, isAtOnce);
    // More than there was room for is a deviation, and judged before.
    if (atOnce < group.limit - perhaps || perhaps - surely > unsurePlacesMax(group.limit)) {
      const text = `${atOnce} admitted at ${group.scope} instead of ${group.limit - surely}`;
      return inconclusive(`${text}: key ${group.key} may have been in use before`);
    }
    const after = perhaps === surely ? `${surely}` : `${surely} to ${perhaps}`;
    texts.push(`${group.scope} ${atOnce}${perhaps === 0 ? '' : ` after ${after}`}`);
  }
  return texts.length === 0
    ? inconclusive('no key was filled')
    : held(`admitted at once: ${texts.join(', ')}`);
}

/** Slow answers leave it open whether a few earlier requests had left the window; with more, nothing exact is seen. */
function unsurePlacesMax(limit: number): number {
  return Math.ceil(limit / 20);
}

/** How many places of the window had been taken before, by whatever the key had sent. */
function placesTaken(
  { analysis: { group }, entries }: LoadPart,
  isAtOnce: (entry: Entry) => boolean,
): { readonly surely: number; readonly perhaps: number } {
  const own = new Set(entries.filter(isAtOnce));
  const startMs = Math.min(...[...own].map(({ lowMs }) => lowMs));
  const endMs = [...own].reduce(
    (latest, { highMs }) => (Number.isFinite(highMs) ? Math.max(latest, highMs) : latest),
    startMs,
  );
  const earlier = group.mayCount.filter((entry) => !own.has(entry) && entry.lowMs < startMs);
  const isSure = ({ exchange, lowMs, highMs }: Entry): boolean =>
    exchange.outcome === 'admitted' && highMs < startMs && endMs - lowMs < windowMsAtLeast(group.windowMs);
  return {
    surely: earlier.filter(isSure).length,
    perhaps: earlier.filter(({ highMs }) => startMs - highMs < windowMsAtMost(group.windowMs)).length,
  };
}

function countText({ analysis, entries, admitted }: LoadPart): string {
  return `${analysis.group.scope} ${admitted.length} of ${entries.length} admitted`;
}

/** The judge of each clause of `contract/clauses/load.ts`. */
export const loadJudges: Readonly<Record<LoadClauseId, Judge>> = {
  'load.messages-burst': judgeBurst('messages-burst'),
  'load.media-burst': judgeBurst('media-burst'),
  'load.rolling-window': judgeRollingWindow,
  'load.over-pressure': judgeOverPressure,
  'load.sustained': judgeSustained,
  'load.noisy-neighbour': judgeNoisyNeighbour,
  'load.mixed-scopes': judgeMixedScopes,
  'load.many-keys': judgeManyKeys,
  'load.nodes': judgeBurst('nodes'),
  'load.latency': judgeLatency,
  'load.neighbour-latency': judgeNeighbourLatency,
  'load.keys-cost': judgeKeysCost,
};
