import { deploymentSchema } from '../../contract/deployment.ts';
import { documentedLimits } from '../../contract/scopes.ts';
import { traceHeader } from '../../contract/trace-header.ts';
import { openRunRecorder, type RunRecorder } from '../../run/record/recorder.ts';
import { keyRemover } from '../../run/record/without-keys.ts';

/** The recorder of a run, as a run opens it: everything that comes from the target is looked through for the key. */
export function openBenchRecorder(path: string): RunRecorder {
  const header = traceHeader({
    tool: { name: 'bench', version: '0.0.0' },
    runId: 'bench',
    startedAtMs: Date.now(),
    mode: 'full',
    limits: documentedLimits,
    deployment: deploymentSchema.parse({ baseUrls: ['http://127.0.0.1'], keyEnv: ['KEY'] }),
    keys: ['A'],
    clocks: [{ id: 'http', kind: 'monotonic', offsetMsMax: 0 }],
    plan: { requestsMax: 1, peakRequestsPerSecond: 1, seconds: 60 },
  });
  const remove = keyRemover([{ alias: 'A', secret: 'key-of-the-benchmark' }]);
  return openRunRecorder({ path, header, remove, nowMs: Date.now });
}
