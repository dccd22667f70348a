import type { DeploymentInput } from '../../contract/deployment.ts';
import type { Document } from '../../contract/document/document.ts';
import { referenceRequests } from '../../service/reference-requests.ts';

/** Requests that the embedded service answers: those of the document, else its own, else one to a path of the scope. */
export function embeddedRequests({ scopes }: Document): DeploymentInput['requests'] {
  const own: Readonly<Record<string, unknown>> = referenceRequests;
  const of = Object.entries(scopes).map(([name, { request, paths = [] }]) => {
    return [name, own[name] ?? request ?? { path: paths[0] ?? '/' }];
  });
  const { messagesSubpath, otherError } = referenceRequests;
  return {
    ...Object.fromEntries(of),
    ...(scopes['messages'] === undefined ? {} : { messagesSubpath }),
    otherError,
  };
}
