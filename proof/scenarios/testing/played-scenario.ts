import process from 'node:process';
import { systemClock } from '../../../checks/clock.ts';
import { deploymentSchema } from '../../../contract/deployment.ts';
import { type Document, limitsOf } from '../../../contract/document/document.ts';
import { messagingDocument } from '../../../contract/document/messaging.ts';
import type { Limits } from '../../../contract/scopes.ts';
import type { Trace } from '../../../contract/trace.ts';
import { traceHeader } from '../../../contract/trace-header.ts';
import type { ClockLine } from '../../../contract/trace-lines.ts';
import type { Scenario } from '../../../load/plan/scenario.ts';
import type { K6 } from '../../../load/runner/find-k6.ts';
import { planScenario, type ScenarioChoices } from '../../../load/runner/plan-scenario.ts';
import { runScenario } from '../../../load/runner/run-scenario.ts';
import { scenarios } from '../../../load/runner/scenarios.ts';
import { clocksOf } from '../../../load/runner/settle-parameters.ts';
import { watchClocks } from '../../../run/record/clock-watch.ts';
import { embeddedRequests } from '../../../run/target/embedded-requests.ts';
import { referenceRequests } from '../../../service/reference-requests.ts';
import { startService } from '../../../service/server.ts';

export type ScenarioPlay = {
  readonly faults?: readonly string[];
  readonly choices?: ScenarioChoices;
  readonly nodes?: number;
  /** Longer where what a machine holds up for a moment must not matter. */
  readonly windowSeconds?: number | undefined;
  /** What leads to each node, from the node's own URL; left out: nothing is between. */
  readonly through?: (url: string) => Promise<string>;
  /** Left out: the messaging document, with smaller limits. */
  readonly document?: Document;
};

/** Small, so that a scenario takes seconds and its streams are slow enough for a busy machine. */
const smallLimits: Limits = { standard: 20, messages: 40, media: 10 };
const windowSecondsUsual = 3;

/** A scenario by the real k6, of `k6BeforeAll`, against the reference service, as a trace. */
export async function playedScenario(k6: K6, name: string, played: ScenarioPlay = {}): Promise<Trace> {
  const scenario = scenarioNamed(name);
  const { faults = [], choices = {}, nodes = 1, document = messagingDocument } = played;
  const { windowSeconds = windowSecondsUsual, through = async (url) => url } = played;
  const limits = played.document === undefined ? smallLimits : limitsOf(document);
  const aliases = Array.from(
    { length: scenario.keys === 'many' ? (choices.keys ?? 0) : 2 },
    (_, at) => `key-${at + 1}`,
  );
  const keys = aliases.map((alias) => ({ alias, secret: `secret-of-${alias}` }));
  const service = await startService({
    document,
    windowMs: windowSeconds * 1_000,
    limits,
    keys: new Map(keys.map(({ alias, secret }) => [alias, secret])),
    faults,
    nodes,
  });
  const deployment = deploymentSchema.parse({
    document,
    baseUrls: await Promise.all(service.urls.map(through)),
    keyEnv: ['A', 'B'],
    requests: played.document === undefined ? referenceRequests : embeddedRequests(document),
    windowSeconds,
    perSecond: 'average',
  });
  try {
    const planned = planScenario(scenario, { deployment, limits, choices });
    const clockLines: ClockLine[] = [];
    const onLine = (line: ClockLine): number => clockLines.push(line);
    const clocks = watchClocks({ clock: systemClock, id: 'main', onLine });
    const { line, exchanges } = await runScenario({
      k6,
      planned,
      deployment,
      keys,
      runId: 'run',
      userAgent: 'test',
      env: process.env,
    }).finally(clocks.stop);
    return {
      header: traceHeader({
        tool: { name: 'test', version: '0' },
        runId: 'run',
        startedAtMs: Date.now(),
        mode: 'load',
        limits,
        deployment,
        keys: ['key-1', 'key-2'],
        clocks: clocksOf(planned).map((id) => ({ id, kind: 'wall', offsetMsMax: 0, tiedBy: 'main' })),
        plan: { requestsMax: planned.requests, peakRequestsPerSecond: 0, seconds: planned.seconds },
      }),
      exchanges,
      loads: [line],
      clockLines,
      notes: [],
      end: { kind: 'end', endedAt: new Date().toISOString(), complete: true, reason: null },
    };
  } finally {
    await service.close();
  }
}

function scenarioNamed(name: string): Scenario {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return scenario;
}
