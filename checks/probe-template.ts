import type { Deployment } from '../contract/deployment.ts';
import { othersOf, usualCostOf } from '../contract/document/cost.ts';
import type { RequestTemplate } from '../contract/request-template.ts';
import type { ProbeRequest } from './steps.ts';

/**
 * What a request of a schedule is.
 * @throws where the deployment has no such request.
 */
export function templateOf(
  { document, requests, otherMethods }: Pick<Deployment, 'document' | 'requests' | 'otherMethods'>,
  { scope, route, beside = 0 }: ProbeRequest,
): RequestTemplate {
  const templates = {
    main: requests[scope],
    subpath: requests.messagesSubpath,
    'other-method': otherMethods[scope],
    beside: othersOf(document.scopes[scope] ?? {})[beside]?.request,
    other: requests.otherError,
  };
  const template = templates[route];
  if (template === undefined) throw new Error(`no request is set for ${scope} (${route})`);
  return template;
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
