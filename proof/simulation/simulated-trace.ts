import type { Opening } from '../../checks/opening.ts';
import { clauseIn } from '../../contract/clauses/of-document.ts';
import { limitIdOf } from '../../contract/clauses/promised-limit.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { type Document, partsOf, scopesOf } from '../../contract/document/document.ts';
import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import type { ClauseJudgement, Judgement } from '../../contract/judgement.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { assembleTrace, type Trace } from '../../contract/trace.ts';
import { type TraceHeader, traceHeader } from '../../contract/trace-header.ts';
import type { EndLine } from '../../contract/trace-lines.ts';
import { simulate } from './simulate.ts';
import type { SimulatedService } from './simulated-service.ts';
import type { World } from './world.ts';

const requests = {
  standard: { method: 'GET', path: '/v1/status' },
  messages: { method: 'POST', path: '/v1/messages' },
  messagesSubpath: { method: 'GET', path: '/v1/messages/msg_reference' },
  media: { method: 'POST', path: '/v1/media' },
  otherError: { method: 'GET', path: '/v1/no-such-resource' },
} as const;

export const opening: Opening = {
  deployment: deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A', 'KEY_B'],
    requests,
    otherMethods: { standard: { method: 'HEAD', path: '/v1/status' } },
  }),
  limits: documentedLimits,
  windowMs: documentedWindowMs,
  mode: 'full',
  keys: ['A', 'B'],
};

/** A whole run in virtual time, as the trace that a run over sockets would have left. */
export function simulatedTrace(
  service: SimulatedService,
  world: World,
  seed: number,
  of: Opening = opening,
): Trace {
  const header = headerOf(of, world);
  return assembleTrace([header, ...simulate({ opening: of, service, world, seed }), endOf(header)]);
}

/** The first line of a simulated trace. */
export function headerOf(
  { mode, limits, deployment, keys }: Opening,
  { startMs }: Pick<World, 'startMs'>,
): TraceHeader {
  return traceHeader({
    tool: { name: 'messaging-conformance', version: '0.0.0' },
    runId: 'simulated',
    startedAtMs: startMs,
    ...{ mode, limits, deployment, keys },
    clocks: [{ id: 'simulation', kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax: 0, peakRequestsPerSecond: 0, seconds: 0 },
  });
}

/** The last line of a trace that was written to its end. */
export function endOf({ startedAt }: TraceHeader): EndLine {
  return { kind: 'end', endedAt: startedAt, complete: true, reason: null };
}

/** Ids of the clauses with a verdict of one kind, in the document's order. */
export function clausesWith(judgement: Judgement, kind: string): readonly string[] {
  return judgement.clauses.filter(({ verdict }) => verdict.kind === kind).map(({ clause }) => clause);
}

/** Must clauses that a run decides and does not show to hold. */
export function mustUnheld(document: Document, { clauses }: Judgement): readonly ClauseJudgement[] {
  return clauses.filter(({ clause, verdict }) => {
    const { level, needs } = clauseIn(document, clause) ?? {};
    const isLeftOut = verdict.kind === 'not-applicable' && isBeyondRuns(document, clause);
    return level === 'must' && needs !== 'load' && verdict.kind !== 'held' && !isLeftOut;
  });
}

/** Whether a clause is about a limit whose window is longer than any run, such as one of a day. */
function isBeyondRuns(document: Document, clause: string): boolean {
  return scopesOf(document).some((scope) =>
    partsOf(document, scope).some(
      ({ name, wholeSeconds }) =>
        limitIdOf(scope, name) === clause && wholeSeconds * 1_000 > probedWindowMsMax,
    ),
  );
}
