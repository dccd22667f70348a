import { type ClientClauseId, clientClauses } from '../../contract/clients/clauses.ts';
import type { ClientTrace } from '../../contract/clients/trace.ts';
import { type ClauseJudgement, type ScopeMeasure, unlessCrashed } from '../../contract/judgement.ts';
import type { Verdict } from '../../contract/verdict.ts';
import { judgeGrowth } from './growth.ts';
import { judgeJitter } from './jitter.ts';
import { judgeLosses, judgeRepeats } from './losses.ts';
import { observeConcurrency, observeMakespan, observeRefusals, scopeMeasures } from './measures.ts';
import { type ClientRequest, requestsOf } from './requests.ts';
import { judgeWaits } from './waits.ts';

type ClientCase = {
  readonly trace: ClientTrace;
  readonly requests: readonly ClientRequest[];
  readonly measures: readonly ScopeMeasure[];
};

/** One judge a clause, pure and total for every trace that fits the schema. */
const judges: Readonly<Record<ClientClauseId, (subject: ClientCase) => Verdict>> = {
  'client.waits': ({ requests }) => judgeWaits(requests),
  'client.backoff-grows': ({ requests }) => judgeGrowth(requests),
  'client.jitter': ({ requests }) => judgeJitter(requests),
  'client.loses-nothing': ({ requests, trace }) => judgeLosses(requests, trace),
  'client.repeats-nothing': ({ requests }) => judgeRepeats(requests),
  'client.refusals': ({ measures }) => observeRefusals(measures),
  'client.makespan': ({ measures }) => observeMakespan(measures),
  'client.concurrency': ({ trace }) => observeConcurrency(trace.arrivals),
};

export type ClientJudgement = {
  readonly clauses: readonly ClauseJudgement[];
  readonly measures: readonly ScopeMeasure[];
};

/** Everything that can be said about a client by its trace. Pure: the same trace gives the same judgement. */
export function judgeClient(trace: ClientTrace): ClientJudgement {
  const measures = scopeMeasures(trace);
  const subject: ClientCase = { trace, requests: requestsOf(trace), measures };
  const clauses = clientClauses.map(({ id }) => ({
    clause: id,
    verdict: unlessCrashed(() => judges[id](subject)),
  }));
  return { clauses, measures };
}
