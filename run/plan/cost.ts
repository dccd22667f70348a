import type { Plan, PlannedRequests } from '../../checks/plan.ts';
import { type Deployment, requestsAt } from '../../contract/deployment.ts';
import { answeredOf, type RequestTemplate } from '../../contract/request-template.ts';
import { type Limits, limitIn } from '../../contract/scopes.ts';
import { type Lane, requestsOf } from '../../load/plan/lane.ts';
import type { LoadPart } from './load-plan.ts';

/** What requests that share a window, or the one for another error, cost the deployment. */
export type RequestCost = PlannedRequests & {
  /** As in a request line, e.g. `POST /v1/messages`; more than one where several requests share the window. */
  readonly requests: readonly string[];
  /** Whether the request is one that changes something, by its method, and by how it is answered: what is refused for what is in it does not. */
  readonly takesEffect: boolean;
  /** Bytes of all of them together, about: heads and bodies as they are sent, without TLS. */
  readonly bytes: number;
};

export type CostInput = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly probes: Pick<Plan, 'bySubject'>;
  readonly load: readonly LoadPart[];
};

/** What a run sends at most, by what is asked for, probes and k6 together. */
export function costOf({ deployment, limits, probes, load }: CostInput): readonly RequestCost[] {
  const lanes = load.flatMap(({ planned }) =>
    planned.lanes.map((lane) => ofLane(lane, limits, planned.setting.windowMs)),
  );
  const all = [...probes.bySubject, ...lanes];
  const subjects = [...new Set(all.map(({ subject }) => subject))];
  return subjects.map((subject) => {
    const own = all.filter((one) => one.subject === subject);
    const requestsMax = own.reduce((sum, one) => sum + one.requestsMax, 0);
    const admittedMax = own.reduce((sum, one) => sum + one.admittedMax, 0);
    const template = deployment.requests[subject];
    return {
      subject,
      requestsMax,
      admittedMax,
      requests: requestLines(deployment, subject),
      takesEffect: template !== undefined && takesEffect(template),
      bytes: requestsMax * (template === undefined ? 0 : bytesOf(template)),
    };
  });
}

/** Whether a request changes something where it passes, as far as its method says. */
export function takesEffect(template: RequestTemplate): boolean {
  return !/^(GET|HEAD)$/.test(template.method) && !answeredOf(template).some((status) => status >= 400);
}

/** Within a span of time each key has its limit once, and once more for each window of it. */
function ofLane(lane: Lane, limits: Limits, windowMs: number): PlannedRequests {
  const requestsMax = requestsOf(lane);
  const windows = 1 + Math.floor(spanMsOf(lane) / windowMs);
  const admittedMax = Math.min(requestsMax, lane.keys.count * limitIn(limits, lane.scope) * windows);
  return { subject: lane.scope, requestsMax, admittedMax };
}

/** From a lane's first request to its last, ms; at most. */
function spanMsOf(lane: Lane): number {
  if (lane.kind === 'stream') return lane.durationMs - 1;
  return (lane.waves.at(-1)?.atMs ?? 0) - (lane.waves[0]?.atMs ?? 0);
}

function requestLines(deployment: Deployment, subject: PlannedRequests['subject']): readonly string[] {
  const lines = requestsAt(deployment, subject).map(({ method, path }) => `${method} ${path}`);
  return [...new Set(lines)];
}

/** What this program puts around a template, about: version, host, key, ids, types. */
const headBytes = 330;
/** The head of a part in a form, and its boundaries. */
const formBytes = 240;

function bytesOf({ path, headers, body }: RequestTemplate): number {
  const own = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  return headBytes + path.length + own + bodyBytes(body);
}

function bodyBytes(body: RequestTemplate['body']): number {
  if (body === undefined) return 0;
  if ('file' in body) return formBytes + body.file.bytes;
  return Buffer.byteLength('json' in body ? JSON.stringify(body.json) : body.text);
}
