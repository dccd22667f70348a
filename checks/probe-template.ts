import type { Deployment } from '../contract/deployment.ts';
import { othersOf, usualCostOf } from '../contract/document/cost.ts';
import { scopesByRequest } from '../contract/document/counted-requests.ts';
import { pathOf } from '../contract/document/paths.ts';
import type { RequestTemplate } from '../contract/request-template.ts';
import type { ProbeRequest } from './steps.ts';

/**
 * What a request of a schedule is.
 * @throws where the deployment has no such request.
 */
export function templateOf(deployment: Templates, request: ProbeRequest): RequestTemplate {
  const template = templateFor(deployment, request);
  if (template === undefined) throw new Error(`no request is set for ${request.scope} (${request.route})`);
  return template;
}

type Templates = Pick<Deployment, 'document' | 'requests' | 'otherMethods'>;

function templateFor(
  { document, requests, otherMethods }: Templates,
  { scope, route, beside = 0 }: ProbeRequest,
): RequestTemplate | undefined {
  switch (route) {
    case 'main':
      return requests[scope];
    case 'subpath':
      return requests.messagesSubpath;
    case 'other-method':
      return otherMethods[scope];
    case 'beside':
      return othersOf(document.scopes[scope] ?? {})[beside]?.request;
    case 'other':
      return requests.otherError;
    default:
      return route satisfies never;
  }
}

/** The request that gets another error, in the scope that it is counted in; `null` where the settings have none. */
export function otherErrorRequest(
  { document, requests }: Templates,
  key: string | null,
): ProbeRequest | null {
  const { otherError } = requests;
  if (otherError === undefined) return null;
  const scope = scopesByRequest(document)(pathOf(otherError.path), otherError.method);
  return { scope, route: 'other', key, credential: 'valid' };
}

/** What it costs, as a trace has it: absent where that is 1. */
export function costIn(
  { document }: Pick<Deployment, 'document'>,
  { scope, route, beside = 0 }: ProbeRequest,
): { readonly cost?: number } {
  const named = document.scopes[scope] ?? {};
  const cost = route === 'beside' ? (othersOf(named)[beside]?.cost ?? 1) : usualCostOf(named);
  return cost === 1 ? {} : { cost };
}
