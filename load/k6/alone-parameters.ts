import type { Deployment } from '../../contract/deployment.ts';
import { bearerHeader } from '../../contract/document/key-place.ts';
import { messagingDocument } from '../../contract/document/messaging.ts';
import { documentedLimits, type MessagingScope } from '../../contract/scopes.ts';
import { shownDeployment } from '../../contract/secret/secret-names.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import { type PlannedScenario, plannedIn, scopesOf } from '../plan/planned.ts';
import type { Scenario, ScopeToLoad } from '../plan/scenario.ts';
import type { AloneSettings } from './alone-settings.ts';
import { composeParameters } from './compose-parameters.ts';
import type { Parameters } from './parameters.ts';

/** What traces and requests call this program; the same as `package.json`, which k6 cannot read. */
export const aloneTool = { name: 'messaging-conformance', version: '0.1.0' } as const;

/** The headers of the messaging document as Go spells them, and its status over the limit. */
const answers = {
  headerNames: {
    limit: 'X-Ratelimit-Limit',
    remaining: 'X-Ratelimit-Remaining',
    reset: 'X-Ratelimit-Reset',
    retryAfter: 'Retry-After',
  },
  limitedStatuses: [429],
  passedStatuses: [],
} as const;

/** As in the settings of a deployment, where nothing is said. */
const requestTimeoutSeconds = 10;
const failureShare = 0.5;

/**
 * The parameters of a script that plays one scenario of the messaging document alone. Pure and without zod.
 * @param keys how many there are.
 * @throws with what is missing, and the variable that brings it.
 */
export function aloneParameters(scenario: Scenario, settings: AloneSettings, keys: number): Parameters {
  const wanted = { one: 1, two: 2, many: keys }[scenario.keys];
  if (keys < wanted) throw new Error(`${scenario.name} needs a second API key: API_KEY_B has to hold it`);
  if (settings.baseUrls.length < scenario.nodesMin)
    throw new Error(
      `${scenario.name} needs ${scenario.nodesMin} addresses or more: BASE_URL=http://127.0.0.1:8080,http://127.0.0.1:8081`,
    );
  const planned = planAlone(scenario, settings, wanted);
  if (planned.lanes.length === 0)
    throw new Error(
      `${scenario.name} needs the request that stands for ${scenario.about?.join(' or ')}: REQUESTS is a file or a text such as {"messages":{"method":"POST","path":"/v1/messages","body":{"json":{"to":"1"}}}}, or "reference" for the reference service`,
    );
  const keyAliases = scenario.keys === 'many' ? [] : ['A', 'B'].slice(0, wanted);
  const parameters = composeParameters({
    planned,
    keyAliases,
    runId: 'alone',
    userAgent: `${aloneTool.name}/${aloneTool.version}`,
    headerVariables:
      Object.keys(settings.headerVariables).length === 0 ? undefined : settings.headerVariables,
    looker: 'k6',
    reached: {
      baseUrls: settings.baseUrls,
      requests: settings.requests,
      timeoutMs: 1_000 * requestTimeoutSeconds,
      failureShare,
      answersIn: () => answers,
      keyPlace: bearerHeader,
      addresses: {},
    },
  });
  const scope = scopesOf(planned)[0] ?? 'messages';
  const { requests } = planned;
  return { ...parameters, around: { header: headerOf(planned, settings), requests, scope } };
}

function planAlone(scenario: Scenario, settings: AloneSettings, keys: number): PlannedScenario {
  const windowMs = settings.windowSeconds * 1_000;
  const scopes = (Object.keys(messagingDocument.scopes) as MessagingScope[])
    .filter((name) => settings.requests[name] !== undefined)
    .filter((name) => scenario.about?.includes(name) ?? true)
    .map((name): ScopeToLoad => {
      const limit = { kind: 'rolling', limit: documentedLimits[name], windowMs } as const;
      return { ...limit, name, pace: limit, longestMs: windowMs };
    });
  const { windows, vus, baseUrls } = settings;
  return plannedIn({ windowMs, scopes, nodes: baseUrls.length, keys, windows, vus, processes: 1 }, scenario);
}

/** The first line of the trace, without what is known at the start alone. What a reader fills in is left out. */
function headerOf(planned: PlannedScenario, settings: AloneSettings): Readonly<Record<string, unknown>> {
  const { baseUrls, requests, windowSeconds } = settings;
  const keyEnv = ['API_KEY', 'API_KEY_B'].slice(0, Math.min(2, planned.setting.keys));
  const shown = shownDeployment({ requests, otherMethods: {} } as unknown as Deployment);
  const deployment = {
    ...{ document: messagingDocument, baseUrls, keyEnv, requests: shown.requests, windowSeconds },
    requestTimeoutSeconds,
  };
  return {
    kind: 'trace',
    schemaVersion: 1 satisfies TraceHeader['schemaVersion'],
    tool: aloneTool,
    mode: 'load',
    windowMs: windowSeconds * 1_000,
    limits: documentedLimits,
    deployment,
    keys: ['A', 'B'].slice(0, keyEnv.length),
    plan: {
      requestsMax: planned.requests,
      peakRequestsPerSecond: planned.peakRequestsPerSecond,
      seconds: planned.seconds,
    },
  };
}
