import { firstRequests } from '../../checks/opening.ts';
import { otherErrorRequest } from '../../checks/probe-template.ts';
import type { ProbeRequest } from '../../checks/steps.ts';
import { asksWithoutKey, type Deployment, scopesWithKey } from '../../contract/deployment.ts';

/** A request, and what it is for: judges of the opening know these words. */
export type DoctorRequest = { readonly purpose: string; readonly request: ProbeRequest };

/**
 * What is asked by Node, about nine requests: each scope with each key once, then a path below `/v1/messages`, one request
 * without a key, and one for another error.
 */
export function doctorRequests(deployment: Deployment, keys: readonly string[]): readonly DoctorRequest[] {
  const { requests } = deployment;
  const last = keys.at(-1) ?? null;
  const valid = { key: last, credential: 'valid' } as const;
  const [first] = scopesWithKey(deployment);
  const other = otherErrorRequest(deployment, last);
  return [
    ...firstRequests(deployment, keys).map(({ scope, key }): DoctorRequest => {
      return { purpose: 'preflight', request: { scope, route: 'main', key, credential: 'valid' } };
    }),
    ...(requests.messagesSubpath === undefined
      ? []
      : [{ purpose: 'subpath', request: { scope: 'messages', route: 'subpath', ...valid } } as const]),
    ...(!asksWithoutKey(deployment) || first === undefined
      ? []
      : [
          {
            purpose: 'without-key',
            request: { scope: first, route: 'main', key: null, credential: 'absent' },
          } as const,
        ]),
    ...(other === null ? [] : [{ purpose: 'other-error', request: other }]),
  ];
}

/** Requests that k6 sends: to one node after another. */
export function k6Requests({ baseUrls }: Pick<Deployment, 'baseUrls'>): number {
  return Math.min(baseUrls.length, k6RequestsMax);
}

const k6RequestsMax = 3;
