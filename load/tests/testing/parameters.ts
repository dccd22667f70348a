import { documentedLimits } from '../../../contract/scopes.ts';
import type { PlanSetting } from '../../k6/lane.ts';
import type { Parameters } from '../../k6/parameters.ts';

/** A setting as the runner makes it of the documented limits, with what a test is about. */
export function settingWith(changes: Partial<PlanSetting> = {}): PlanSetting {
  return {
    windowMs: 60_000,
    limits: documentedLimits,
    scopes: ['standard', 'messages', 'media'],
    nodes: 2,
    keys: 1,
    windows: 2,
    vus: 1,
    processes: 1,
    warmUp: 'keyless',
    ...changes,
  };
}

export function parametersWith(changes: Partial<Parameters>): Parameters {
  return {
    scenario: 'messages-burst',
    runId: 'run',
    userAgent: 'agent',
    clock: 'k6-messages-burst',
    baseUrls: ['http://127.0.0.1:9', 'http://127.0.0.1:9/prefix'],
    requests: { messages: { method: 'POST', path: '/v1/messages', headers: {} } },
    keyAliases: ['B'],
    setting: settingWith(),
    startAtMs: 0,
    timeoutMs: 10_000,
    bodyCharactersMax: 2_048,
    headerCharactersMax: 512,
    ...changes,
  };
}
