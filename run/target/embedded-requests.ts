import type { DeploymentInput } from '../../contract/deployment.ts';
import type { Document } from '../../contract/document/document.ts';
import { scopesByPath } from '../../contract/document/paths.ts';
import { referenceRequests } from '../../service/reference-requests.ts';

/** Requests that the embedded service answers: those of the document, else its own of that scope, else one to a path of it. */
export function embeddedRequests(document: Document): DeploymentInput['requests'] {
  const scopeOf = scopesByPath(document);
  const { messagesSubpath, otherError, ...own } = referenceRequests;
  const ofScopes = Object.entries(document.scopes).map(([name, { request, paths = [] }]) => {
    const known = Object.entries(own).find(([scope, { path }]) => scope === name && scopeOf(path) === name);
    return [name, request ?? known?.[1] ?? { path: paths[0] ?? '/' }];
  });
  return {
    ...Object.fromEntries(ofScopes),
    ...(scopeOf(messagesSubpath.path) === 'messages' ? { messagesSubpath } : {}),
    otherError,
  };
}
