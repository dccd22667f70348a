// What `import … from 'messaging-conformance'` gives: settings and documents with their types, the judge of a trace, and
// the identification of a limiter. Nothing here sends anything, reads a file or a clock.

export {
  type Deployment,
  type DeploymentInput,
  defineDeployment,
} from '../../contract/deployment.ts';
export { type Document, type DocumentInput, defineDocument } from '../../contract/document/document.ts';
export type { Exchange } from '../../contract/exchange.ts';
export type { Algorithm, Candidate, Identification } from '../../contract/identification.ts';
export { TraceError } from '../../contract/ndjson.ts';
export type { Outcome } from '../../contract/outcome.ts';
export type { Trace } from '../../contract/trace.ts';
export type { TraceHeader } from '../../contract/trace-header.ts';
export type {
  ClockLine,
  EndLine,
  LeftOutLine,
  LoadLine,
  NoteLine,
  TraceLine,
} from '../../contract/trace-lines.ts';
export type { Evidence, Verdict } from '../../contract/verdict.ts';
export type { ObservedRequest } from '../../judge/identify/observations.ts';
export type { ClauseResult } from '../../reports/clause-result.ts';
export type { RunOutcome } from '../../reports/outcome.ts';
export type { Report } from '../../reports/result.ts';
export { type Expected, identify } from './identify.ts';
export { type JudgeOptions, judge } from './judge.ts';
export { pacedOptions } from './paced-options.ts';
export { parseTrace } from './parse-trace.ts';
