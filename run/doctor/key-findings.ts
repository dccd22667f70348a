import { preflightFault } from '../../checks/preflight-fault.ts';
import { type Deployment, scopesWithRequest } from '../../contract/deployment.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { headerInteger } from '../../contract/rate-limit-headers.ts';
import { type Limits, limitIn, type Scope } from '../../contract/scopes.ts';
import { isAnotherLayers } from '../../judge/other-layer.ts';
import { serverOf } from '../../judge/why-open.ts';
import { plainText } from '../../reports/plain-text.ts';
import { type Finding, finding } from './finding.ts';
import type { SeenByNode } from './look-around.ts';

export type Asked = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly keys: readonly string[];
};

/** For each key: whether it is taken, and idle in each scope. Then what is wrong with the requests themselves. */
export function keyFindings(asked: Asked, { exchanges }: SeenByNode): readonly Finding[] {
  const answers = exchanges.filter(({ purpose, status }) => purpose === 'preflight' && status !== null);
  const byKey = asked.keys.flatMap((key) => keyFinding(key, asked, answers));
  const { messagesSubpath } = asked.deployment.requests;
  const below = exchanges.find(({ route, status }) => route === 'subpath' && status !== null);
  const isUsed = below === undefined || below.outcome === 'admitted' || below.outcome === 'limited';
  return [
    ...byKey,
    ...requestFindings(asked.deployment, answers),
    ...(messagesSubpath === undefined || isUsed
      ? []
      : [
          finding(
            'bad',
            'messagesSubpath',
            `${messagesSubpath.method} ${messagesSubpath.path} answered ${below.status}, and has to be answered 2xx: name one ` +
              'that is there in requests.messagesSubpath, or leave it out.',
          ),
        ]),
  ];
}

function keyFinding(
  key: string,
  { deployment, limits, keys }: Asked,
  all: readonly Exchange[],
): readonly Finding[] {
  const own = all.filter((answer) => answer.key === key);
  const about = `key ${key}`;
  const rejected = own.find(({ status }) => status === 401 || status === 403);
  if (own.length === 0) return [];
  const strange = own.find(isAnotherLayers);
  if (strange !== undefined) return [layerFinding(about, strange)];
  if (rejected !== undefined) {
    const name = deployment.keyEnv[keys.indexOf(key)] ?? 'the environment';
    return [
      finding(
        'bad',
        about,
        `${rejected.method} ${rejected.path} answered ${rejected.status}: check the key in ${name}. If it is right, this ` +
          'address may be shut out.',
      ),
    ];
  }
  const places = scopesWithRequest(deployment).flatMap((scope) => {
    const answer = own.find((one) => one.scope === scope);
    return answer === undefined ? [] : [{ scope, answer, left: leftOf(answer) }];
  });
  const busy = places.filter(({ scope, left }) => left !== null && left < limitIn(limits, scope) - 1);
  if (busy.length > 0) {
    const used = busy
      .map(({ scope, left }) => `${left} of ${limitIn(limits, scope)} left at ${scope}`)
      .join(', ');
    return [
      finding(
        'note',
        about,
        `taken, but in use within the last minute: ${used}. A run waits one window until it is idle. If somebody else ` +
          'uses it, name another, or set exclusiveKeys: false.',
      ),
    ];
  }
  const known = places.filter(({ left }) => left !== null).map(({ scope }): Scope => scope);
  const text =
    known.length === places.length
      ? `taken, and idle at ${known.join(', ')}`
      : 'taken; whether it is idle is not known, since answers lack X-RateLimit-Remaining';
  return [finding(known.length === places.length ? 'good' : 'note', about, text)];
}

/** An answer that is not the API’s says nothing of a key. */
function layerFinding(about: string, answer: Exchange): Finding {
  const server = serverOf(answer);
  // A 5xx may be the API’s own.
  const whose =
    (answer.status ?? 0) >= 500 ? 'the service, or a proxy before it,' : 'another layer than the API';
  const named = server === null ? whose : `${whose} (server: ${plainText(server, 60)})`;
  const text =
    `${named} answered ${answer.method} ${answer.path} with ${answer.status}: have it let this machine through, or see ` +
    'whether the service is well.';
  return finding('bad', about, text);
}

/** Places that an answer says are left; `null` where it does not say. */
function leftOf(answer: Exchange): number | null {
  return answer.outcome === 'limited' ? 0 : headerInteger(answer, 'remaining');
}

/** Requests that are answered neither 2xx nor 429, or by something that is not the API: each scope once. */
function requestFindings(deployment: Deployment, answers: readonly Exchange[]): readonly Finding[] {
  return scopesWithRequest(deployment).flatMap((scope) => {
    const own = answers.filter(
      (answer) =>
        answer.scope === scope && answer.status !== 401 && answer.status !== 403 && !isAnotherLayers(answer),
    );
    const fault = preflightFault(own, deployment);
    return fault === null ? [] : [finding('bad', `requests.${scope}`, plainText(fault.reason, 600))];
  });
}
