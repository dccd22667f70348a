import type { DeploymentInput } from '../../contract/deployment.ts';
import { scopesByRequest } from '../../contract/document/counted-requests.ts';
import type { Document } from '../../contract/document/document.ts';
import { samplePathOf } from '../../contract/document/path-pattern.ts';
import { referenceRequests } from '../../service/reference-requests.ts';

/** Requests that the embedded service answers: those of the document, else its own of that scope, else one to a path of it. */
export function embeddedRequests(document: Document): DeploymentInput['requests'] {
  const scopeOf = scopesByRequest(document);
  const { messagesSubpath, otherError, ...own } = referenceRequests;
  const ofScopes = Object.entries(document.scopes).map(
    ([name, { request, methods: [method = 'GET'] = [], paths: [path = '/'] = [] }]) => {
      const known = Object.entries(own).find(
        ([scope, one]) => scope === name && scopeOf(one.path, one.method) === name,
      );
      return [name, request ?? known?.[1] ?? { method, path: samplePathOf(path) }];
    },
  );
  return {
    ...Object.fromEntries(ofScopes),
    ...(scopeOf(messagesSubpath.path, messagesSubpath.method) === 'messages' ? { messagesSubpath } : {}),
    otherError,
  };
}
