import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import type { ClauseId } from '../../../contract/clauses/registry.ts';
import { deploymentSchema } from '../../../contract/deployment.ts';
import { type Document, limitedStatusesOf, limitsOf } from '../../../contract/document/document.ts';
import { recordedNames } from '../../../contract/document/headers.ts';
import { recordedRetryAfter } from '../../../contract/document/retry-after.ts';
import { arePromisedOnRefusals, headersIn } from '../../../contract/document/scope-headers.ts';
import type { Exchange } from '../../../contract/exchange.ts';
import { noPictures } from '../../../contract/no-pictures.ts';
import { isSuccess, outcomeOf } from '../../../contract/outcome.ts';
import { documentedLimits } from '../../../contract/scopes.ts';
import type { Trace } from '../../../contract/trace.ts';
import type { QuotedExchange } from '../../../contract/verdict.ts';
import { groupsOf } from '../../../judge/entries.ts';
import { identifyGroups } from '../../../judge/identify/identify-groups.ts';
import { judgeTrace } from '../../../judge/judge-trace.ts';
import { buildReport } from '../../../reports/build-report.ts';
import type { Repetition, Shows } from '../../../reports/page/repeated.ts';
import { repetitionOf } from '../../../reports/page/repetition.ts';
import type { Report } from '../../../reports/result.ts';
import { findFault } from '../../../service/faults.ts';
import { referenceRequests } from '../../../service/reference-requests.ts';
import { startService } from '../../../service/server.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import type { Subject } from '../../faults/subjects.ts';
import { wholeTrace } from '../../faults/whole-run.ts';
import { serviceOf } from '../../promises/promise-run.ts';
import { openingOf } from '../../simulation/document-opening.ts';
import { simulatedTrace } from '../../simulation/simulated-trace.ts';
import { calmWorld } from '../../simulation/world.ts';

/** One violation of a run in virtual time, and how its report repeats it. */
export type RepeatedViolation = {
  readonly subject: RepeatedSubject;
  readonly clause: ClauseId;
  readonly reason: string;
  readonly trace: Trace;
  readonly report: Report;
};

/** A service with a fault, and the document that it breaks; left out: the messaging document. */
export type RepeatedSubject = Pick<Subject, 'name' | 'setting'> & { readonly document?: Document };

/** Every violation of one run with a subject. */
export function violationsOf(subject: Subject): readonly RepeatedViolation[] {
  const { open, setting } = subject;
  return violationsIn(wholeTrace({ service: open(), setting, seed: 1 }), subject);
}

/** Every violation of one run of a service that plays a document with a fault. */
export function violationsOfDocument(document: Document, fault: string): readonly RepeatedViolation[] {
  const found = findFault(fault);
  if (found === undefined) throw new Error(`there is no fault ${fault}`);
  const trace = simulatedTrace(serviceOf(document, null, [found]), calmWorld, 1, openingOf(document));
  return violationsIn(trace, { name: fault, setting: {}, document });
}

function violationsIn(trace: Trace, subject: RepeatedSubject): readonly RepeatedViolation[] {
  const judgement = judgeTrace(trace);
  // Some commands depend on what the limiter is; to find that out takes most of the time.
  const asked = subject.document === undefined ? ['early-return'] : ['early-return', 'wrongful-429'];
  const isAsked = judgement.clauses.some(
    ({ verdict }) => verdict.kind === 'violated' && asked.includes(verdict.reason),
  );
  const identified = isAsked ? identifyGroups(groupsOf(trace)) : [];
  const judgedAt = new Date(0).toISOString();
  const report = buildReport({ trace, judgement, identified, pictures: noPictures, judgedAt });
  return report.clauses.flatMap(({ id, verdict }) =>
    verdict.kind === 'violated'
      ? [{ subject, clause: id as ClauseId, reason: verdict.reason, trace, report }]
      : [],
  );
}

/** The repetition that a report gives, once it is about a service at these URLs with a window of another length. */
export function repetitionAt(
  { clause, report, subject }: RepeatedViolation,
  { urls, windowMs }: { readonly urls: readonly string[]; readonly windowMs: number },
): Repetition | null {
  const shorter = windowMs / report.window.ms;
  const scaled = (exchange: QuotedExchange): QuotedExchange => ({
    ...exchange,
    sentMs: exchange.sentMs * shorter,
    receivedMs: exchange.receivedMs === null ? null : exchange.receivedMs * shorter,
  });
  const found = report.clauses.find(({ id }) => id === clause);
  if (found?.verdict.kind !== 'violated') return null;
  const { evidence } = found.verdict;
  const verdict = {
    ...found.verdict,
    evidence: { ...evidence, exchanges: evidence.exchanges.map(scaled) },
  };
  const deployment = deploymentSchema.parse({
    ...report.deployment,
    baseUrls: urls,
    ...(subject.document === undefined ? { requests: referenceRequests } : {}),
  });
  return repetitionOf(
    { ...found, verdict },
    { ...report, deployment, window: { ...report.window, ms: windowMs } },
  );
}

const secrets = { KEY_A: 'first-key-of-a-repetition', KEY_B: 'second-key-of-a-repetition' };

/** As short as commands that take whole seconds allow. */
const shortWindowMs = 8_000;

/** Commands are as quick as the machine: one that is busy elsewhere is given a longer window at each attempt. */
const attemptsMax = 4;

/** Why the commands of a violation do not show it; `null` where they do. */
export async function showsIt(violation: RepeatedViolation): Promise<string | null> {
  let why: string | null = null;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const found = await printedBy(violation, attempt * shortWindowMs);
    why = found === null ? null : unshown(violation, found.shows, found.printed);
    if (why === null) return null;
  }
  return why;
}

/**
 * What the commands of a violation print against the service with its fault; `null` where there are none. Where they
 * wait, the service has windows of `waitedMs`.
 */
async function printedBy(
  violation: RepeatedViolation,
  waitedMs: number,
): Promise<{ readonly shows: Shows; readonly printed: string } | null> {
  const { deployment, window } = violation.report;
  const asReported = repetitionAt(violation, { urls: deployment.baseUrls, windowMs: window.ms });
  if (asReported?.kind !== 'commands') return null;
  const { subject } = violation;
  const windowMs = asReported.lines.includes('sleep') ? waitedMs : window.ms;
  const { document } = subject;
  const service = await startService({
    windowMs,
    ...(document === undefined ? { limits: documentedLimits } : { document, limits: limitsOf(document) }),
    nodes: subject.setting.nodes ?? 1,
    keys: new Map([
      ['A', secrets.KEY_A],
      ['B', secrets.KEY_B],
    ]),
    faults: [subject.name],
    graceMs: 0,
  });
  try {
    const repetition = repetitionAt(violation, { urls: service.urls, windowMs });
    if (repetition?.kind !== 'commands') return null;
    const { PATH } = process.env;
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', repetition.lines], {
      cwd: await temporaryFolder(),
      env: { PATH, ...secrets },
    });
    return { shows: repetition.shows, printed: stdout };
  } finally {
    await service.close();
  }
}

/** Why what was printed does not show the violation; `null` where it does. */
function unshown(violation: RepeatedViolation, shows: Shows, printed: string): string | null {
  switch (shows.kind) {
    case 'admitted': {
      const admitted = admittedIn(printed, shows.besides);
      const isShown = shows.relation === 'more' ? admitted > shows.than : admitted < shows.than;
      return isShown ? null : `${admitted} × 2xx, not ${shows.relation} than ${shows.than}:\n${printed}`;
    }
    case 'status': {
      const { status } = answerIn(printed);
      const isShown =
        shows.statuses.includes(status) || (shows.statuses.includes('2xx') && isSuccess(status));
      return isShown ? null : `HTTP ${status}, not ${shows.statuses}:\n${printed}`;
    }
    case 'not-counting-down': {
      const values = [...printed.matchAll(/(?:[:=] *|^)(\d+)\s*$/gm)].map(([, value]) => value);
      const isShown = values.length === shows.values.length && values.join() !== shows.values.join();
      return isShown ? null : `printed ${values.join(', ')}`;
    }
    case 'answer':
      return hasFlaw(violation, printed) ? null : `the last answer does not show it:\n${printed}`;
    default:
      return shows satisfies never;
  }
}

/** The sum of all lines "  120 200" of `uniq -c` with a status of 2xx, or one of some others. */
function admittedIn(printed: string, besides: readonly number[] = []): number {
  const lines = [...printed.matchAll(/^ *(\d+) (\d\d\d)$/gm)];
  const passed = lines.filter(([, , status]) => outcomeOf(Number(status), [], besides) === 'admitted');
  return passed.reduce((sum, [, count]) => sum + Number(count), 0);
}

type Answer = { readonly status: number; readonly headers: Headers; readonly body: string };

/** The answer that `curl -i` printed last. */
function answerIn(printed: string): Answer {
  const from = printed.lastIndexOf('HTTP/1.1 ');
  const [head = '', ...body] = printed.slice(from).split('\r\n\r\n');
  const [first = '', ...fields] = head.split('\r\n');
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const at = field.indexOf(':');
      return [field.slice(0, at), field.slice(at + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, body: body.join('\r\n\r\n') };
}

/** Whether the last answer alone, as the one exchange of a trace, violates the clause for the same reason. */
function hasFlaw({ clause, reason, trace, report, subject }: RepeatedViolation, printed: string): boolean {
  const { status, headers, body } = answerIn(printed);
  if (reason === 'not-zero') return status === 429 && headers.get('x-ratelimit-remaining') !== '0';
  const verdict = report.clauses.find(({ id }) => id === clause)?.verdict;
  const shown = verdict?.kind === 'violated' ? verdict.evidence.exchanges : [];
  const { document } = report.deployment;
  const outcome = outcomeOf(status, limitedStatusesOf(document));
  const like = trace.exchanges.find(
    (one) => one.outcome === outcome && shown.some(({ requestId }) => one.requestId === requestId),
  );
  if (like === undefined) return false;
  const names = recordedNames(headersIn(document, like.scope));
  const fieldOf = (name: string | null) => (name === null ? null : headers.get(name));
  const nowMs = Date.now();
  const answered = (atMs: number): Exchange => ({
    ...like,
    requestId: `at ${atMs}`,
    sentMs: atMs,
    receivedMs: atMs,
    wallSentMs: atMs,
    wallReceivedMs: atMs,
    status,
    headers: {
      limit: fieldOf(names.limit),
      remaining: fieldOf(names.remaining),
      reset: fieldOf(names.reset),
    },
    retryAfter: fieldOf(recordedRetryAfter(document.refusal).toLowerCase()),
    date: headers.get('date'),
    contentType: headers.get('content-type'),
    body,
    bodyState: 'whole',
    outcome,
  });
  const admitted = trace.exchanges.find((one) => one.outcome === 'admitted' && one.key === like.key);
  // Where nothing tells whose a refusal is, only a second one blames the API, after an admission.
  const isTwice =
    subject.document !== undefined && !arePromisedOnRefusals(document) && admitted !== undefined;
  const exchanges = isTwice
    ? [
        answered(nowMs),
        {
          ...admitted,
          sentMs: nowMs + 5,
          receivedMs: nowMs + 6,
          wallSentMs: nowMs + 5,
          wallReceivedMs: nowMs + 6,
        },
        answered(nowMs + 10),
      ]
    : [answered(nowMs)];
  return judgeTrace({ ...trace, exchanges }).clauses.some(
    (one) => one.clause === clause && one.verdict.kind === 'violated' && one.verdict.reason === reason,
  );
}
