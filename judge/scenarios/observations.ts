import { inconclusive, notApplicable, observed, type Verdict } from '../../contract/verdict.ts';
import type { Case, Judge } from '../case.ts';
import { latencyText } from '../latencies.ts';
import { admittedIn, type LoadCase, loadCaseOf } from './scenario.ts';

/** `load.latency` */
export const judgeLatency: Judge = observing('over-pressure', ({ exchanges }) => {
  const limited = exchanges.filter(({ outcome }) => outcome === 'limited');
  return observed(`2xx ${latencyText(admittedIn(exchanges))}; 429 ${latencyText(limited)}`);
});

/** `load.neighbour-latency` */
export const judgeNeighbourLatency: Judge = observing('noisy-neighbour', ({ exchanges }) => {
  const of = (purpose: string) => exchanges.filter((exchange) => exchange.purpose === purpose);
  return observed(`alone ${latencyText(of('alone'))}; beside the flood ${latencyText(of('beside-flood'))}`);
});

/** `load.keys-cost` */
export const judgeKeysCost: Judge = observing('many-keys', ({ exchanges }) => {
  const rungs = Map.groupBy(exchanges, ({ purpose }) => Number(/^keys-(\d+)$/.exec(purpose)?.[1] ?? 0));
  const parts = [...rungs].filter(([keys]) => keys > 0).sort(([left], [right]) => left - right);
  return observed(
    parts.map(([keys, sent]) => `${keys} ${keys === 1 ? 'key' : 'keys'} ${latencyText(sent)}`).join('; '),
  );
});

function observing(scenario: string, tell: (load: LoadCase) => Verdict): Judge {
  return (subject: Case) => {
    const load = loadCaseOf(subject, scenario);
    if (load === null) return notApplicable(`not shown: needs the load scenario ${scenario}`);
    return load.exchanges.length === 0 ? inconclusive('nothing was sent') : tell(load);
  };
}
