import { type Deployment, sendsKeys } from '../../contract/deployment.ts';
import { keylessScopesOf } from '../../contract/document/counted-by.ts';
import { limitedStatusesOf } from '../../contract/document/document.ts';
import { probedWindowMsMax } from '../../contract/document/further-limit.ts';
import { recordedNames } from '../../contract/document/headers.ts';
import { keyPlaceOf } from '../../contract/document/key-place.ts';
import { loadScopesOf, whyNoLoad } from '../../contract/document/load-scopes.ts';
import { recordedRetryAfter } from '../../contract/document/retry-after.ts';
import { headersIn } from '../../contract/document/scope-headers.ts';
import { passedStatusesIn } from '../../contract/passed.ts';
import { hours, howMany } from '../../contract/quantities.ts';
import type { Scope } from '../../contract/scopes.ts';
import { isApiKey } from '../../contract/secret.ts';
import { clockOf, composeParameters } from '../k6/compose-parameters.ts';
import { keyAliasAt, type Parameters } from '../k6/parameters.ts';
import type { AnswersToRead } from '../k6/ready-request.ts';
import { lastMsOf } from '../plan/lane.ts';
import { type PlannedScenario, scopesOf } from '../plan/planned.ts';
import { settingRanges } from '../plan/scenario.ts';
import { addressOptions } from './k6-transport.ts';

export type KeyForLoad = { readonly alias: string; readonly secret: string };

export type ParameterInput = {
  readonly planned: PlannedScenario;
  readonly deployment: Deployment;
  /** At least as many as the scenario needs, in the order of their positions. */
  readonly keys: readonly KeyForLoad[];
  readonly runId: string;
  readonly userAgent: string;
  /** Headers of all requests that are secret, with the names of the variables that hold their values. */
  readonly headerVariables?: Readonly<Record<string, string>>;
  /** Who compares k6's wall clock with a monotonic one: the runner beside it, or k6 itself where it runs alone. */
  readonly looker: 'runner' | 'k6';
};

export type SettledParameters =
  | { readonly kind: 'usable'; readonly parameters: Parameters }
  | { readonly kind: 'unusable'; readonly reason: string };

/** An environment variable of Linux holds at most 128 KiB. */
const parametersCharactersMax = 30_000;

/** Most requests of one wave: with more, opening connections takes too long. */
const waveRequestsMax = 10_000;

/** Up to this many keys have an alias of their own; more keys are called by their number. */
const aliasesMax = 16;

/** The scenario's parameters from settings, checked before k6 is started. */
export function settleParameters(input: ParameterInput): SettledParameters {
  const { planned, deployment, keys, runId, userAgent } = input;
  const why = whyImpossible(planned, deployment) ?? whyKeysUnusable(keys, planned) ?? whyOutOfRange(planned);
  if (why !== null) return { kind: 'unusable', reason: why };
  const parameters = composeParameters({
    ...{ planned, runId, userAgent, looker: input.looker },
    keyAliases: keys.length > aliasesMax ? [] : keys.map(({ alias }) => alias),
    headerVariables: input.headerVariables,
    reached: {
      baseUrls: deployment.baseUrls,
      requests: deployment.requests,
      timeoutMs: Math.round(deployment.requestTimeoutSeconds * 1_000),
      failureShare: deployment.breaker.failureShare,
      answersIn: (scope) => answersTo(deployment, scope),
      keyPlace: sendsKeys(deployment) ? keyPlaceOf(deployment.document) : null,
      keylessScopes: keylessScopesOf(deployment.document),
      addresses: addressOptions(deployment.transport ?? {}),
    },
  });
  if (JSON.stringify(parameters).length > parametersCharactersMax) {
    const reason =
      `the requests of ${scopesOf(planned).join(', ')} are too long for k6: ` +
      `keep them below ${parametersCharactersMax / 1_000} thousand characters`;
    return { kind: 'unusable', reason };
  }
  return { kind: 'usable', parameters };
}

/** The ids of the clocks of all its processes. */
export function clocksOf({ scenario, setting }: PlannedScenario): readonly string[] {
  if (setting.processes === 1) return [clockOf(scenario.name)];
  return Array.from({ length: setting.processes }, (_, at) => clockOf(scenario.name, at));
}

/** Why a scenario can show nothing about a deployment, and what to set; `null` where it can. */
export function whyImpossible(planned: PlannedScenario, deployment: Deployment): string | null {
  const { scenario, lanes, setting } = planned;
  if (setting.nodes < scenario.nodesMin)
    return `it needs ${scenario.nodesMin} base URLs or more: give one for each node with --url`;
  const unsaid = whyNoLoad(deployment.document, scenario.clause);
  if (unsaid !== null) return `by the document of ${deployment.document.title}, ${unsaid}`;
  if (lanes.length > 0) return whyTooLong(planned);
  if (setting.scopes.length > 0)
    return 'it sends less than a limit lets pass, and of a limit of 1 that is nothing';
  const [first = 'messages', ...others] = loadScopesOf(deployment.document, scenario.clause);
  const missing = others.length === 0 ? first : 'any of its scopes';
  return `the settings have no request for ${missing}: set requests.${first}`;
}

/** Of a plan that goes on, or waits, for a window as long as none that a run fills. */
function whyTooLong({ lanes, setting }: PlannedScenario): string | null {
  for (const lane of lanes) {
    const scope = setting.scopes.find(({ name }) => name === lane.scope);
    const windowsMs = scope === undefined ? [] : [scope.pace.windowMs, scope.longestMs];
    const longMs = windowsMs.find((ms) => ms > probedWindowMsMax && lastMsOf(lane) >= ms);
    if (longMs === undefined) continue;
    return `no run takes as long as ${hours(longMs)}, after which the limit of ${lane.scope} is free again`;
  }
  return null;
}

function whyKeysUnusable(keys: readonly KeyForLoad[], { setting }: PlannedScenario): string | null {
  if (keys.length < setting.keys)
    return `it needs ${howMany(setting.keys, 'key')}, and there ${keys.length === 1 ? 'is' : 'are'} ${keys.length}`;
  const bad = keys.find(({ secret }) => !isApiKey(secret));
  if (bad === undefined) return null;
  return `key ${bad.alias} cannot be sent in a header: it is empty, or has characters other than visible ASCII`;
}

function whyOutOfRange({ scenario, setting, lanes }: PlannedScenario): string | null {
  for (const [name, [min, max]] of Object.entries(settingRanges)) {
    const value = setting[name as keyof typeof settingRanges];
    if (!Number.isInteger(value) || value < min || value > max) {
      return `${name} of ${scenario.name} is ${value}: it must be an integer from ${min} to ${max}`;
    }
  }
  for (const lane of lanes) {
    const most = lane.kind === 'waves' ? Math.max(...lane.waves.map(({ count }) => count)) : 0;
    if (most > waveRequestsMax)
      return `${scenario.name} would send ${most} requests at once, and at most ${waveRequestsMax} are possible`;
  }
  return null;
}

/** The names of a document's headers, a capital after each hyphen as Go has them, and the statuses of its requests. */
function answersTo(deployment: Deployment, scope: Scope): AnswersToRead {
  const { document } = deployment;
  const names = recordedNames(headersIn(document, scope));
  const spelt = (name: string | null): string =>
    (name ?? '').toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  const { limit, remaining, reset } = names;
  return {
    headerNames: {
      limit: spelt(limit),
      remaining: spelt(remaining),
      reset: spelt(reset),
      retryAfter: spelt(recordedRetryAfter(document.refusal)),
    },
    limitedStatuses: limitedStatusesOf(document),
    passedStatuses: passedStatusesIn(deployment, scope),
  };
}

/**
 * The keys of a scenario that runs elsewhere: their aliases, with a placeholder for the secrets, which only that place
 * knows.
 */
export function unknownKeys({ setting }: PlannedScenario): readonly KeyForLoad[] {
  const named = ['A', 'B'];
  const aliases = setting.keys <= named.length ? named : [];
  return Array.from({ length: setting.keys }, (_, at) => ({
    alias: keyAliasAt(aliases, at),
    secret: 'in-the-environment',
  }));
}
