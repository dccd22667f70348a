import process from 'node:process';
import { deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { traceHeader } from '../../contract/trace.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { seeded } from '../../run/seeded.ts';
import { cpuSeconds } from '../cpu-seconds.ts';
import { exchangesOf, history, type Moment, withOneTooMany } from './history.ts';

/** What this process prints: how long all verdicts took, and whether those of limits and windows are no violation: a history has no headers. */
export type JudgedHistory = { readonly isOk: boolean; readonly cpuSeconds: number };

const rate = { limit: documentedLimits.standard, windowMs: documentedWindowMs };

function judged(moments: readonly Moment[]): JudgedHistory {
  const trace = { header, exchanges: exchangesOf(moments), loads: [], notes: [], end };
  let isOk = false;
  const seconds = cpuSeconds(() => {
    const { clauses } = judgeTrace(trace);
    isOk = clauses.every(
      ({ clause, verdict }) => !/^(limits|window)\./.test(clause) || verdict.kind !== 'violated',
    );
  });
  return { isOk, cpuSeconds: seconds };
}

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

const [count = '', kind = ''] = process.argv.slice(2);
const moments = history(rate, Number(count), seeded(1));
// Go's program is compiled: what compiles ours is left out too.
judged(history(rate, 1_000, seeded(2)));
process.stdout.write(JSON.stringify(judged(kind === 'violating' ? withOneTooMany(moments) : moments)));
