import { busyAmong, placesLeftIn } from '../../checks/busy.ts';
import { asPassedAdvice, keylessAdvice, preflightFault } from '../../checks/preflight-fault.ts';
import { type Deployment, scopesWithRequest, sendsKeys } from '../../contract/deployment.ts';
import { type CountedBy, countedByIn } from '../../contract/document/counted-by.ts';
import { promiseIn } from '../../contract/document/document.ts';
import { haveOwnHeaders, headersByScope } from '../../contract/document/scope-headers.ts';
import { toldExchanges } from '../../contract/document/told-headers.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { mayHavePassed } from '../../contract/request-template.ts';
import type { Limits } from '../../contract/scopes.ts';
import { isAnotherLayers } from '../../judge/other-layer.ts';
import { serverOf } from '../../judge/why-open.ts';
import { plainText } from '../../reports/plain-text.ts';
import { type Finding, finding } from './finding.ts';
import type { SeenByNode } from './look-around.ts';

export type ExaminedDeployment = {
  readonly deployment: Deployment;
  readonly limits: Limits;
  readonly keys: readonly string[];
};

/** For each key: whether it is taken, and idle in each scope. Then what is wrong with the requests themselves. */
export function keyFindings(asked: ExaminedDeployment, { exchanges }: SeenByNode): readonly Finding[] {
  const answers = exchanges
    .filter(({ purpose, status }) => purpose === 'preflight' && status !== null)
    .map(toldExchanges(asked.deployment.document, asked.limits));
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
              `that is there in requests.messagesSubpath,${mayPass(below) ? ` add answered: ${below.status} to it where it is counted all the same,` : ''} or leave it out.`,
          ),
        ]),
  ];
}

/** Whether a request may be answered so that passes, though it asks for a message that is not there. */
function mayPass({ status }: Pick<Exchange, 'status'>): boolean {
  return status === 404 || mayHavePassed(status);
}

function keyFinding(key: string, asked: ExaminedDeployment, all: readonly Exchange[]): readonly Finding[] {
  const { deployment, keys } = asked;
  const own = all.filter((answer) => answer.key === key);
  const isSent = sendsKeys(deployment);
  const about = isSent ? `key ${key}` : 'this client';
  const taken = isSent ? 'taken' : 'served without a key';
  const rejected = own.find(isKeyRefused);
  if (own.length === 0) return [];
  const strange = own.find(isAnotherLayers);
  if (strange !== undefined) return [layerFinding(about, strange)];
  if (rejected !== undefined) {
    const name = deployment.keyEnv[keys.indexOf(key)] ?? 'the environment';
    const what = `${rejected.method} ${rejected.path} answered ${rejected.status}`;
    const keyless = keylessAdvice(deployment, rejected.scope);
    const advice =
      keyless === null
        ? `: check the key in ${name}. If it is right, this address may be shut out.`
        : `. ${keyless}`;
    return [finding('bad', about, `${what}${advice}${asPassedAdvice(rejected, deployment)}`)];
  }
  const answers = scopesWithRequest(deployment).flatMap(
    (scope) => own.find((one) => one.scope === scope) ?? [],
  );
  const busy = busyAmong(all, asked).filter(({ answer }) => answers.includes(answer));
  if (busy.length > 0) {
    const used = busy
      .map(({ answer, limit }) => `${placesLeftIn(answer)} of ${limit} left at ${answer.scope}`)
      .join(', ');
    return [
      finding(
        'note',
        about,
        `${taken}, but in use within the last window: ${used}. A run waits one window until it is idle. ` +
          `If somebody else ${othersUse(busy.map(({ answer }) => countedByIn(deployment.document, answer.scope)))} set exclusiveKeys: false.`,
      ),
    ];
  }
  const why = whyUnknown(deployment, answers);
  if (why !== null)
    return [finding('note', about, `${taken}; whether it is idle is not known, since ${why}`)];
  return [finding('good', about, `${taken}, and idle at ${answers.map(({ scope }) => scope).join(', ')}`)];
}

/** What somebody else may do, and what helps: another key where windows are those of keys. */
function othersUse(ways: readonly CountedBy[]): string {
  if (ways.includes('key')) return 'uses it, name another, or';
  return ways.includes('account') ? 'uses its account, name keys of another, or' : 'asks from this address,';
}

/** Why answers do not show that nobody else uses a key; `null` where they do. */
export function whyUnknown({ document }: Deployment, answers: readonly Exchange[]): string | null {
  const headersOf = headersByScope(document);
  const untold = answers.find((answer) => headersOf(answer).names.remaining === null);
  if (untold !== undefined) {
    const where = haveOwnHeaders(document) ? ` at ${untold.scope}` : '';
    return `the document has no header that says what is left${where}`;
  }
  const lacking = answers.find((answer) => placesLeftIn(answer) === null);
  if (lacking !== undefined) return `answers lack ${headersOf(lacking).names.remaining}`;
  return answers.some(({ scope }) => promiseIn(document, scope).kind === 'at-most')
    ? 'fewer may pass than the document says'
    : null;
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

function isKeyRefused({ status, outcome }: Exchange): boolean {
  return outcome === 'refused' && (status === 401 || status === 403);
}

/** Requests that are answered neither 2xx nor 429, or by something that is not the API: each scope once. */
function requestFindings(deployment: Deployment, answers: readonly Exchange[]): readonly Finding[] {
  return scopesWithRequest(deployment).flatMap((scope) => {
    const own = answers.filter(
      (answer) => answer.scope === scope && !isKeyRefused(answer) && !isAnotherLayers(answer),
    );
    const fault = preflightFault(own, deployment);
    return fault === null ? [] : [finding('bad', `requests.${scope}`, plainText(fault.reason, 600))];
  });
}
