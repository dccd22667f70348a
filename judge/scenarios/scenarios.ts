import type { burstClause, LoadClauseId } from '../../contract/clauses/load.ts';
import { howMany } from '../../contract/quantities.ts';
import { held, inconclusive, notApplicable, observed, type Verdict } from '../../contract/verdict.ts';
import type { Judge } from '../case.ts';
import { concluded } from '../conclude.ts';
import type { Entry } from '../entries.ts';
import { heldIfKnown, lengthText, wasSaturatedTwice, watchedText } from '../known-window.ts';
import { latencyText } from '../latencies.ts';
import { atOnceOf, isBounded, settledMsOf } from './at-once.ts';
import { judgeBurst } from './burst.ts';
import {
  admittedIn,
  judgeScenario,
  type LoadCase,
  type LoadPart,
  loadCaseOf,
  unexpected,
} from './load-case.ts';
import { isSureEnough, placesTaken } from './places-taken.ts';
import { judgePromisedBurst } from './promised-burst.ts';

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
    `${limited.length} of ${load.exchanges.length} got a 429, the first at ${first.scope}: the key may have been in use before, or k6 was held up and sent too much at once`,
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
  return held(
    `${beside.length === 1 ? 'the request' : `all ${beside.length} requests`} of the neighbour admitted, beside ${flood.length} of the flood`,
  );
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
    ? held(`${howMany(keys, 'key')}, none refused because of another; ${verdict.summary}`)
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

/** Its own waves filled the window and found it full again, one window later. */
function sawReturn({ analysis, admitted, limited }: LoadPart): boolean {
  return wasSaturatedTwice(analysis) && admitted.length > analysis.group.limit && limited.length > 0;
}

/** Its refusals were late enough to be judged, or there was none where no limit has to refuse. */
function sawJudgedRefusal({ analysis, limited }: LoadPart): boolean {
  if (limited.length === 0 && !isBounded(analysis)) return true;
  const settledMs = settledMsOf(analysis);
  return analysis.judgedRefusals > 0 && limited.some(({ lowMs }) => lowMs >= settledMs);
}

/** Whether what was sent at once got exactly what the window had room for, whoever had filled the rest of it. */
function filledToTheLimit(parts: readonly LoadPart[], isAtOnce: (entry: Entry) => boolean): Verdict {
  const texts: string[] = [];
  for (const part of parts) {
    const { group } = part.analysis;
    const { limit, windowMs } = atOnceOf(part.analysis);
    const atOnce = part.admitted.filter(isAtOnce).length;
    const taken = placesTaken(part, { windowMs, isAtOnce });
    const { surely, perhaps } = taken;
    // More than there was room for is a deviation, and judged before.
    if (atOnce < limit - perhaps || !isSureEnough(taken, limit)) {
      const text = `${atOnce} admitted at ${group.scope} instead of ${limit - surely}`;
      return inconclusive(`${text}: key ${group.key} may have been in use before`);
    }
    const after = perhaps === surely ? `${surely}` : `${surely} to ${perhaps}`;
    texts.push(`${group.scope} ${atOnce}${perhaps === 0 ? '' : ` after ${after}`}`);
  }
  return texts.length === 0
    ? inconclusive('no key was filled')
    : held(`admitted at once: ${texts.join(', ')}`);
}

function countText({ analysis, entries, admitted }: LoadPart): string {
  return `${analysis.group.scope} ${admitted.length} of ${entries.length} admitted`;
}

/** The judge of each clause of `contract/clauses/load.ts`. */
export const loadJudges: Readonly<Record<LoadClauseId | (typeof burstClause)['id'], Judge>> = {
  'load.burst': judgePromisedBurst('burst'),
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
