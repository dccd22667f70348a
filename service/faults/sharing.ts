import type { Behaviour } from '../behaviour.ts';
import { bursts, everyLimit, type Fault } from './fault.ts';
import { otherWindowKey } from './other-window.ts';

/** Faults about which requests share one window. */
export const sharingFaults = [
  {
    name: 'one-window-for-scopes',
    summary: 'all scopes of a key share one count, and each compares it with its own limit',
    must: ['limits.per-scope'],
    may: [],
    reasons: ['one-window-for-scopes'],
    patch: oneWindowForScopes,
  },
  {
    name: 'one-window-for-keys',
    summary: 'all keys share one count, for example because requests are counted by the client’s address',
    must: ['limits.per-key'],
    may: [],
    reasons: ['one-window-for-keys'],
    patch: otherWindowKey(({ scope }) => scope),
  },
  {
    name: 'window-per-connection',
    summary: 'each connection has windows of its own',
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: otherWindowKey(({ scope, key, connection }) => `${scope} ${key} ${connection}`),
  },
  {
    name: 'window-per-node',
    summary:
      'each node of the service counts for itself; detected where the requests reach two nodes or more',
    setting: { nodes: 2 },
    must: everyLimit,
    may: bursts,
    reasons: ['over-admission'],
    patch: otherWindowKey(({ scope, key, node }) => `${scope} ${key} ${node}`),
  },
  {
    name: 'window-per-method',
    summary:
      'each HTTP method has a window of its own; detected in the scopes for which the settings have a request with ' +
      'another method (otherMethods), and below /v1/messages',
    must: ['limits.standard', 'limits.messages-subpaths'],
    may: [],
    reasons: ['over-admission', 'counted-apart'],
    patch: otherWindowKey(({ scope, key, method }) => `${scope} ${key} ${method}`),
  },
  {
    name: 'subpaths-apart',
    summary: 'each path below /v1/messages has a window of its own',
    must: ['limits.messages-subpaths'],
    may: [],
    reasons: ['counted-apart'],
    patch: otherWindowKey(({ scope, key, path }) =>
      scope === 'messages' ? `${path} ${key}` : `${scope} ${key}`,
    ),
  },
  {
    name: 'subpaths-are-standard',
    summary: 'paths below /v1/messages are counted as standard routes, and their headers say so',
    must: ['limits.messages-subpaths', 'headers.limit'],
    may: [],
    reasons: ['counted-apart', 'wrong-limit'],
    patch: (behaviour) => ({
      ...behaviour,
      scopeOf: (path, method) =>
        path.startsWith('/v1/messages/') ? 'standard' : behaviour.scopeOf(path, method),
    }),
  },
] as const satisfies readonly Fault[];

/** One shared log under limiters that have limits of their own. */
function oneWindowForScopes(behaviour: Behaviour): Behaviour {
  const logs = new Map<string, number[]>();
  return {
    ...behaviour,
    decide: ({ key }, { rate, nowMs }) => {
      const log = logs.get(key) ?? [];
      logs.set(key, log);
      while (log.length > 0 && (log[0] ?? nowMs) + rate.windowMs <= nowMs) log.shift();
      const admitted = log.length < rate.limit;
      if (admitted) log.push(nowMs);
      const remaining = Math.max(0, rate.limit - log.length);
      const freeingMs = log[Math.max(0, log.length - rate.limit)] ?? nowMs;
      const resetMs = freeingMs + rate.windowMs;
      return { admitted, remaining, resetMs, retryAfterMs: remaining > 0 ? 0 : resetMs - nowMs };
    },
  };
}
