import fc from 'fast-check';
import type { Trace } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import type { SeededBatch } from '../soundness/batches.ts';
import { tied } from '../soundness/k6-world.ts';
import { type DocumentSetting, documentSetting, documentTrace } from './hostile-document.ts';
import { mustsWith } from './promise-run.ts';
import { playedTraffic, type Traffic, traffic } from './traffic.ts';

/** Must clauses that a trace is said to violate, or whose judge crashed, and how many of them it is said to hold. */
export function judgedMusts(trace: Trace): { readonly violated: readonly string[]; readonly held: number } {
  const judgement = judgeTrace(trace);
  const withKind = (kind: string) => mustsWith(trace, kind, judgement);
  return { violated: [...withKind('violated'), ...withKind('crashed')], held: withKind('held').length };
}

/** Services that keep drawn documents: how many traces of them were judged, and each false verdict. */
export type DocumentResult = {
  readonly traces: number;
  /** Must clauses that were held, in all of them. */
  readonly held: number;
  readonly falseVerdicts: readonly {
    readonly setting: DocumentSetting | Traffic;
    readonly violated: readonly string[];
  }[];
};

/** So many traces of drawn traffic for each whole run, which takes as much longer. */
const trafficForEach = 5;

/** Plays services that keep drawn documents: whole runs, and requests that no schedule sends. */
export function playDocumentBatch({ seed, runs }: SeededBatch): DocumentResult {
  const whole = fc
    .sample(documentSetting, { numRuns: runs, seed })
    .map((setting) => ({ setting, ...judgedMusts(documentTrace(setting)) }));
  const drawn = fc
    .sample(traffic, { numRuns: runs * trafficForEach, seed })
    .map((setting) => ({ setting, ...judgedMusts(tied(playedTraffic(setting))) }));
  const all = [...whole, ...drawn];
  return {
    traces: all.length,
    held: all.reduce((sum, { held }) => sum + held, 0),
    falseVerdicts: all.filter(({ violated }) => violated.length > 0),
  };
}
