import { type Deployment, keyAliasesOf, sendsKeys } from '../contract/deployment.ts';
import { carriesKeys } from '../contract/document/counted-by.ts';
import { limitedStatusesOf } from '../contract/document/document.ts';
import { parseBody } from '../contract/error-body.ts';
import type { Exchange } from '../contract/exchange.ts';
import { mayHavePassed } from '../contract/request-template.ts';
import type { Scope } from '../contract/scopes.ts';
import { codeIn, interrupted } from '../contract/unreachable.ts';
import { closedByOther, failureAdvice, isNotHttp, isTimeOut, isUnreachable } from './failures.ts';
import { firstRequests } from './opening.ts';

/** How probing ended: complete, or early with a reason that says what happened, where, and what to do. */
export type ProbeEnd =
  | { readonly complete: true }
  | {
      readonly complete: false;
      readonly kind:
        | 'unreachable'
        | 'key-rejected'
        | 'not-http'
        | 'not-the-api'
        | 'target-lost'
        | 'stopped'
        | 'aborted';
      readonly reason: string;
    };

type Stopped = Extract<ProbeEnd, { complete: false }>;

/** Why the answers of the opening forbid that a run goes on; `null` where it can. */
export function preflightFault(answers: readonly Exchange[], deployment: Deployment): Stopped | null {
  let unansweredInARow = 0;
  for (const answer of answers.filter(({ purpose }) => purpose === 'preflight')) {
    unansweredInARow = answer.status === null ? unansweredInARow + 1 : 0;
    const fault =
      answer.status === null
        ? lost(answer, unansweredInARow, deployment)
        : (rejected(answer, deployment) ?? webPage(answer, deployment));
    if (fault !== null) return fault;
  }
  return null;
}

/**
 * Answers in a row that may be lost on the way: a network that breaks a quarter of all connections takes two of ten runs'
 * first requests so. Each that comes too late makes a person wait.
 */
const lostMax = { late: 3, broken: 5 } as const;

/** A few answers that were lost on the way say nothing of the address. What nothing listens to, or no HTTP, says it at once. */
function lost(answer: Exchange, inARow: number, deployment: Deployment): Stopped | null {
  const failure = answer.failure ?? '';
  const most = lostMax[isTimeOut(failure) ? 'late' : 'broken'];
  // Where fewer requests open a run, all of them were lost.
  const different = firstRequests(deployment, keyAliasesOf(deployment)).length;
  const isLost = inARow >= Math.min(most, Math.max(2, different));
  return isUnreachable(failure) || isLost ? unanswered(answer, deployment) : null;
}

function unanswered(answer: Exchange, { baseUrls, transport }: Deployment): Stopped {
  const where = `${answer.method} ${addressOf(answer, baseUrls)}`;
  const failure = answer.failure ?? 'no answer';
  return isNotHttp(failure)
    ? {
        complete: false,
        kind: 'not-http',
        reason: `${where}: ${failure}. Check the address: something else listens there.`,
      }
    : {
        complete: false,
        kind: 'unreachable',
        reason: `${where}: ${failureAdvice(failure, closedHint(failure, { baseUrls, transport }))}`,
      };
}

/** What to do where an encrypted connection is closed without a word. */
export const showCertificateAdvice =
  'If it asks for a certificate of the client, show one: --client-cert FILE and --client-key FILE. ';

/** Many a service closes an encrypted connection without a word where it misses a certificate of the client. */
function closedHint(
  failure: string,
  { baseUrls, transport }: Pick<Deployment, 'baseUrls' | 'transport'>,
): string {
  const code = codeIn(failure);
  const isClosed = code === closedByOther || code === 'ECONNRESET';
  if (!isClosed || failure.includes('--client-cert') || !baseUrls.some((url) => url.startsWith('https:')))
    return '';
  return transport?.clientCert === undefined
    ? showCertificateAdvice
    : 'If it does not trust the certificate of --client-cert, name another. ';
}

/** What to do where a run sends no key, and is refused as one without a key is. */
export const noKeyAdvice =
  'No key was sent: if the API needs one, name its variable with --key-env, and say in the document where it stands: ' +
  'keys: bearer, or { header: X-Api-Key }.';

/** What to do where a request was rejected that carried no key; `null` where it carried one. */
export function keylessAdvice(deployment: Deployment, scope: Scope): string | null {
  if (!sendsKeys(deployment)) return noKeyAdvice;
  return carriesKeys(deployment.document, scope)
    ? null
    : `No key was sent, as the document says of ${scope}: if the API needs one there, leave out keys: none.`;
}

function rejected(answer: Exchange, deployment: Deployment): Stopped | null {
  const { status, key, outcome } = answer;
  if (outcome === 'admitted' || outcome === 'limited') return null;
  const where = `${answer.method} ${answer.path}`;
  if (status === 401 || status === 403) {
    const name = deployment.keyEnv[(key ?? 'A').charCodeAt(0) - 'A'.charCodeAt(0)] ?? 'the environment';
    const advice = keylessAdvice(deployment, answer.scope);
    const reason =
      advice === null
        ? `${where} answered ${status} to key ${key}. Check the API key in the environment variable ${name}. ` +
          'If it is right, the service may have shut this address out.'
        : `${where} answered ${status}. ${advice}`;
    return {
      complete: false,
      kind: 'key-rejected',
      reason: `${reason}${asPassedAdvice(answer, deployment)}`,
    };
  }
  if (status === 407) return proxyRejected(where, deployment);
  const body = parseBody(answer.body);
  const what = body.kind === 'json' ? `answered ${status}` : `answered ${status} and ${body.why}`;
  const advice = isGateway(status)
    ? 'What stands in front of a service answers so where that does not: check whether it is running.'
    : `Check the base URL and requests.${answer.scope} in the settings.${asPassedAdvice(answer, deployment)}`;
  const reason = `${where} ${what}; the request for the scope ${answer.scope} must be answered 2xx. ${advice}`;
  return { complete: false, kind: 'not-the-api', reason };
}

/** An API may count a request first, and then refuse it for what is in it: a login with a wrong password, a message without a body. */
export function asPassedAdvice(
  { status }: Pick<Exchange, 'status'>,
  { document }: Pick<Deployment, 'document'>,
): string {
  return mayHavePassed(status) && !limitedStatusesOf(document).includes(status)
    ? ` If such a request is counted all the same, add answered: ${status} to it.`
    : '';
}

/** What proxies and balancers answer for a service that is not there (RFC 9110 §15.6.3 to §15.6.5). */
function isGateway(status: number | null): boolean {
  return status === 502 || status === 503 || status === 504;
}

function proxyRejected(where: string, { transport }: Deployment): Stopped {
  const proxy = transport?.proxy ?? 'in between';
  const reason =
    `${where} was answered 407: the proxy ${proxy} asks for a user and a password, or does not take those that it was ` +
    'given. Put them into the environment variable HTTP_PROXY, as http://USER:PASSWORD@HOST:PORT.';
  return { complete: false, kind: 'unreachable', reason };
}

/**
 * A web page with status 200 where the API should be. An answer with rate-limit headers does come from the API; and a 429
 * says that somebody limits, so what its body should be is for the judges to say.
 */
function webPage(
  { contentType, headers, method, path, node, outcome }: Exchange,
  { baseUrls }: Deployment,
): Stopped | null {
  if (!/^text\/html\b/i.test(contentType ?? '') || headers.limit !== null || outcome === 'limited')
    return null;
  const reason = `${method} ${path} at ${baseUrls[node]} answered with a web page (HTML). Check the base URL: this is not the API.`;
  return { complete: false, kind: 'not-the-api', reason };
}

/** What was asked for: its path has that of the base URL in it. */
function addressOf({ node, path }: Exchange, baseUrls: readonly string[]): string {
  const origin = new URL(baseUrls[node] ?? '').origin;
  return `${origin}${path.startsWith('/') ? '' : '/'}${path}`;
}

/** Why a run ends whose target ceased to answer. Requests that we gave up then say nothing of the target. */
export function targetLost({ baseUrls }: Deployment, soFar: readonly Exchange[]): Stopped {
  const answered = soFar.filter(({ status }) => status !== null).length;
  const failure = soFar.findLast(({ failure }) => failure !== null && failure !== interrupted)?.failure;
  return {
    complete: false,
    kind: 'target-lost',
    reason:
      `${baseUrls.join(', ')} stopped answering after ${answered} answers: ${failure ?? 'no answer'}. ` +
      'Check whether the service is still running, then run again.',
  };
}
