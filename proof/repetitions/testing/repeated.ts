import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import type { ClauseId } from '../../../contract/clauses/registry.ts';
import { deploymentSchema } from '../../../contract/deployment.ts';
import type { Exchange } from '../../../contract/exchange.ts';
import { outcomeOf } from '../../../contract/outcome.ts';
import { noPictures } from '../../../contract/pictures.ts';
import { documentedLimits, documentedWindowMs } from '../../../contract/scopes.ts';
import type { Trace } from '../../../contract/trace.ts';
import type { QuotedExchange } from '../../../contract/verdict.ts';
import { groupsOf } from '../../../judge/entries.ts';
import { identifyGroups } from '../../../judge/identify/identify-groups.ts';
import { judgeTrace } from '../../../judge/judge-trace.ts';
import { buildReport } from '../../../reports/build-report.ts';
import { type Repetition, repetitionOf, type Shows } from '../../../reports/page/repetition.ts';
import type { Report } from '../../../reports/result.ts';
import { referenceRequests } from '../../../service/reference-requests.ts';
import { startService } from '../../../service/server.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import type { Subject } from '../../faults/subjects.ts';
import { wholeTrace } from '../../faults/whole-run.ts';

/** One violation of a run in virtual time, and how its report repeats it. */
export type Repeated = {
  readonly subject: Subject;
  readonly clause: ClauseId;
  readonly reason: string;
  readonly trace: Trace;
  readonly report: Report;
};

/** Every violation of one run with a subject. */
export function violationsOf(subject: Subject): readonly Repeated[] {
  const { open, setting } = subject;
  const trace = wholeTrace({ service: open(), setting, seed: 1 });
  const judgement = judgeTrace(trace);
  // What the limiter is decides alone how to show that places come back early; to find that out takes most of the time.
  const isAsked = judgement.clauses.some(
    ({ verdict }) => verdict.kind === 'violated' && verdict.reason === 'early-return',
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
  { clause, report }: Repeated,
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
    requests: referenceRequests,
  });
  return repetitionOf(
    { ...found, verdict },
    { ...report, deployment, window: { ...report.window, ms: windowMs } },
  );
}

const secrets = { KEY_A: 'first-key-of-a-repetition', KEY_B: 'second-key-of-a-repetition' };

/** As short as commands that take whole seconds allow. */
const shortWindowMs = 8_000;

/** What the commands of a violation print against the service with its fault; `null` where there are none. */
export async function printedBy(
  violation: Repeated,
): Promise<{ readonly shows: Shows; readonly printed: string } | null> {
  const { deployment, window } = violation.report;
  const asReported = repetitionAt(violation, { urls: deployment.baseUrls, windowMs: window.ms });
  if (asReported?.kind !== 'commands') return null;
  const windowMs = asReported.lines.includes('sleep') ? shortWindowMs : documentedWindowMs;
  const { subject } = violation;
  const service = await startService({
    windowMs,
    limits: documentedLimits,
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
export function unshown(violation: Repeated, shows: Shows, printed: string): string | null {
  switch (shows.kind) {
    case 'admitted': {
      const admitted = admittedIn(printed);
      const isShown = shows.relation === 'more' ? admitted > shows.than : admitted < shows.than;
      return isShown ? null : `${admitted} × 2xx, not ${shows.relation} than ${shows.than}:\n${printed}`;
    }
    case 'status': {
      const { status } = answerIn(printed);
      return status === shows.status ? null : `HTTP ${status}, not ${shows.status}:\n${printed}`;
    }
    case 'not-counting-down': {
      const values = [...printed.matchAll(/: *(\S+)/g)].map(([, value]) => value);
      const expected = Array.from({ length: shows.values }, (_, at) => String(shows.from - at));
      const isShown = values.length === shows.values && values.join() !== expected.join();
      return isShown ? null : `printed ${values.join(', ')}`;
    }
    case 'answer':
      return hasFlaw(violation, printed) ? null : `the last answer does not show it:\n${printed}`;
    default:
      return shows satisfies never;
  }
}

/** The sum of all lines "  120 200" of `uniq -c` with a status of 2xx. */
function admittedIn(printed: string): number {
  const lines = [...printed.matchAll(/^ *(\d+) 2\d\d$/gm)];
  return lines.reduce((sum, [, count]) => sum + Number(count), 0);
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
function hasFlaw({ clause, reason, trace, report }: Repeated, printed: string): boolean {
  const { status, headers, body } = answerIn(printed);
  if (reason === 'not-zero') return status === 429 && headers.get('x-ratelimit-remaining') !== '0';
  const verdict = report.clauses.find(({ id }) => id === clause)?.verdict;
  const shown = verdict?.kind === 'violated' ? verdict.evidence.exchanges : [];
  const like = trace.exchanges.find(
    ({ requestId, outcome }) =>
      outcome === outcomeOf(status) && shown.some((one) => one.requestId === requestId),
  );
  if (like === undefined) return false;
  const nowMs = Date.now();
  const exchange: Exchange = {
    ...like,
    sentMs: nowMs,
    receivedMs: nowMs,
    wallSentMs: nowMs,
    wallReceivedMs: nowMs,
    status,
    headers: {
      limit: headers.get('x-ratelimit-limit'),
      remaining: headers.get('x-ratelimit-remaining'),
      reset: headers.get('x-ratelimit-reset'),
    },
    contentType: headers.get('content-type'),
    body,
    bodyState: 'whole',
    outcome: outcomeOf(status),
  };
  return judgeTrace({ ...trace, exchanges: [exchange] }).clauses.some(
    (one) => one.clause === clause && one.verdict.kind === 'violated' && one.verdict.reason === reason,
  );
}
