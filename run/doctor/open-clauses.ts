import { clausesOf } from '../../contract/clauses/of-document.ts';
import { limitIdOf } from '../../contract/clauses/promised-limit.ts';
import { asksWithoutKey, type Deployment, sendsKeys } from '../../contract/deployment.ts';
import { partsOf, scopesOf } from '../../contract/document/document.ts';
import { milliseconds } from '../../contract/quantities.ts';
import { isRepeatable } from '../../contract/repeatable.ts';
import type { Scope } from '../../contract/scopes.ts';
import { scopesOf as scopesSent } from '../../load/plan/planned.ts';
import type { RunMode } from '../plan/load-plan.ts';
import type { RunPlan } from '../plan/run-plan.ts';
import type { SeenByK6 } from './look-by-k6.ts';

/** What a run will leave open, known before it begins. */
export type OpenClauses = {
  readonly clauses: readonly string[];
  /** Why, and what to set. */
  readonly why: string;
  /** Whether that keeps the run from a verdict of conformant. */
  readonly decides: boolean;
};

export type KnownBefore = {
  readonly deployment: Deployment;
  readonly mode: RunMode;
  readonly keys: readonly string[];
  readonly plan: RunPlan;
  readonly k6: SeenByK6;
  /** How long answers usually took; `null` where there was none. */
  readonly latencyMs: number | null;
};

/** What settings and what was met leave open, the deciding first. */
export function openClauses(known: KnownBefore): readonly OpenClauses[] {
  const ids: readonly string[] = clausesOf(known.deployment.document).map(({ id }) => id);
  const isThere = (clause: string): boolean =>
    clause.endsWith('*') ? ids.some((id) => id.startsWith(clause.slice(0, -1))) : ids.includes(clause);
  const all = [...bySettings(known), ...byK6(known), ...byPlan(known), ...byLatency(known)].flatMap((one) => {
    const clauses = one.clauses.filter(isThere);
    return clauses.length === 0 && one.clauses.length > 0 ? [] : [{ ...one, clauses }];
  });
  return all.toSorted((left, right) => Number(right.decides) - Number(left.decides));
}

function bySettings({ deployment, mode, keys }: KnownBefore): readonly OpenClauses[] {
  const { document, requests, exclusiveKeys, windowSeconds } = deployment;
  if (mode === 'light') {
    return [open(['limits.*', 'window.*'], 'a light run fills no window: leave --light out', true)];
  }
  const missing = scopesOf(document).filter((scope) => requests[scope] === undefined);
  return [
    ...missing.map((scope) =>
      open(
        partsOf(document, scope).map(({ name }) => limitIdOf(scope, name)),
        `no request stands for ${scope}, and the run is incomplete: set requests.${scope}`,
        true,
      ),
    ),
    ...(keys.length > 1 || !sendsKeys(deployment)
      ? []
      : [open(['limits.per-key', 'limits.shared'], 'there is one key: name two with --key-env A,B', true)]),
    ...(requests.messages === undefined || requests.messagesSubpath !== undefined
      ? []
      : [
          open(
            ['limits.messages-subpaths'],
            'set requests.messagesSubpath to a request below /v1/messages that is answered 2xx',
            true,
          ),
        ]),
    ...(requests.otherError !== undefined || asksWithoutKey(deployment)
      ? []
      : [
          open(
            ['error.other-shape'],
            'no other error will be seen: set requests.otherError to a request that gets one',
            true,
          ),
        ]),
    ...(asksWithoutKey(deployment)
      ? []
      : [open(['auth.bearer'], 'probeWithoutKey: false sends no request without a key', false)]),
    ...(exclusiveKeys
      ? []
      : [open(['limits.*'], 'exclusiveKeys: false: refusals below the limit cannot be detected', false)]),
    ...(windowSeconds === document.windowSeconds
      ? []
      : [
          open(
            ['window.*'],
            `the window is set to ${windowSeconds} s: the documented one of ${document.windowSeconds} s is not looked at`,
            false,
          ),
        ]),
  ];
}

function byK6({ k6, plan, deployment }: KnownBefore): readonly OpenClauses[] {
  const clauses = plan.load.map(({ planned }) => planned.scenario.clause);
  if (clauses.length === 0) return [];
  const failed =
    k6.kind === 'found' && (k6.reason !== null || k6.exchanges.some(({ status }) => status === null));
  if (k6.kind === 'missing' || failed) {
    return [open(clauses, 'k6 does not get there (above)', true)];
  }
  const { transport, baseUrls } = deployment;
  const isForwarded = transport?.proxy !== undefined && baseUrls.some((url) => url.startsWith('http:'));
  const repeated = plan.load.filter(({ planned }) =>
    scopesSent(planned).some((scope) => mayRepeat(deployment, scope)),
  );
  return [
    ...(isForwarded
      ? [
          open(
            clauses,
            'the proxy sends on by connections of its own: a burst is as sharp as it makes it',
            false,
          ),
        ]
      : []),
    ...(transport?.http === '2' && repeated.length > 0
      ? [
          open(
            repeated.map(({ planned }) => planned.scenario.clause),
            'over HTTP/2, k6 may send a GET twice, which proves less: send a POST, or leave --http 2 out',
            false,
          ),
        ]
      : []),
  ];
}

function mayRepeat({ requests }: Deployment, scope: Scope): boolean {
  const template = requests[scope];
  return template !== undefined && isRepeatable(template.method, template.headers);
}

function byPlan({ plan }: KnownBefore): readonly OpenClauses[] {
  const { requestsMax, requestsWanted } = plan;
  if (requestsWanted <= requestsMax) return [];
  const why = `maxRequests is ${requestsMax}, and the run may need ${requestsWanted}: then it is incomplete`;
  return [open([], why, true)];
}

/** From here on the length of a window is not known well enough for anything to be held, ms. */
const latencyMsMax = 3_000;
const worthSayingMs = 100;

function byLatency({ latencyMs }: KnownBefore): readonly OpenClauses[] {
  if (latencyMs === null || latencyMs < worthSayingMs) return [];
  const why = `answers take about ${milliseconds(latencyMs)}: the window is known to about ± ${milliseconds(latencyMs)} only`;
  return [open(['window.length'], why, latencyMs > latencyMsMax)];
}

function open(clauses: readonly string[], why: string, decides: boolean): OpenClauses {
  return { clauses, why, decides };
}
