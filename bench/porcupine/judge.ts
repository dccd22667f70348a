import { readFileSync } from 'node:fs';
import process from 'node:process';
import { deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import type { Trace } from '../../contract/trace.ts';
import { traceHeader } from '../../contract/trace-header.ts';
import { groupsOf } from '../../judge/entries.ts';
import { isExplained, standingFits } from '../../judge/fits.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { seeded } from '../../run/seeded.ts';
import { cpuSeconds } from '../cpu-seconds.ts';
import { exchangesOf, history, type Moment } from './history.ts';

/**
 * What this process prints: how long it took, and whether the history is none of a violation. All verdicts: those of limits
 * and windows, since a history has no headers. Porcupine's question: whether a rolling window explains it.
 */
export type JudgedHistory = { readonly isOk: boolean; readonly cpuSeconds: number };

/** The same beside what the first history of the process took, one of 1,000 requests. */
export type JudgedLater = JudgedHistory & { readonly firstCpuSeconds: number };

export type JudgeQuestion = 'all-verdicts' | 'explained';

const rate = { limit: documentedLimits.standard, windowMs: documentedWindowMs };

function judged(moments: readonly Moment[], asked: JudgeQuestion): JudgedHistory {
  const trace = { header, exchanges: exchangesOf(moments), loads: [], notes: [], end };
  let isOk = false;
  const seconds = cpuSeconds(() => {
    isOk = answers[asked](trace);
  });
  return { isOk, cpuSeconds: seconds };
}

const answers: Readonly<Record<JudgeQuestion, (trace: Trace) => boolean>> = {
  'all-verdicts': (trace) =>
    judgeTrace(trace).clauses.every(
      ({ clause, verdict }) => !/^(limits|window)\./.test(clause) || verdict.kind !== 'violated',
    ),
  explained: (trace) =>
    groupsOf(trace).every((group) =>
      standingFits(group, group.limited, () => false).some((fit) => isExplained(group, fit)),
    ),
};

const header = traceHeader({
  tool: { name: 'messaging-conformance', version: '0.0.0' },
  runId: 'bench',
  mode: 'full',
  startedAtMs: Date.UTC(2026, 0, 1),
  keys: ['A'],
  limits: documentedLimits,
  deployment: deploymentSchema.parse({
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A'],
    requests: { standard: { path: '/v1/status' } },
  }),
  clocks: [{ id: 'main', kind: 'monotonic', offsetMsMax: 0 }],
  plan: { requestsMax: 0, peakRequestsPerSecond: 0, seconds: 0 },
});

const end = { kind: 'end', endedAt: '2026-01-01T00:00:00.000Z', complete: true, reason: null } as const;

const historiesBefore = 100;

const [path = '', asked = ''] = process.argv.slice(2);
const moments = JSON.parse(readFileSync(path, 'utf8')) as readonly Moment[];
// Go's program was compiled before it began. Ours is compiled while it runs, and takes the same time for each history
// from about the sixtieth on.
const before = Array.from({ length: historiesBefore }, (_, at) =>
  judged(history(rate, 1_000, seeded(at + 2)), asked as JudgeQuestion),
);
const firstCpuSeconds = before[0]?.cpuSeconds ?? Number.NaN;
const later: JudgedLater = { ...judged(moments, asked as JudgeQuestion), firstCpuSeconds };
process.stdout.write(JSON.stringify(later));
