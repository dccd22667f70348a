import type { Opening } from '../../checks/opening.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { type Document, limitsOf } from '../../contract/document/document.ts';
import { embeddedRequests } from '../../run/target/embedded-requests.ts';

/** A whole run against the reference service that plays a document. */
export function openingOf(document: Document): Opening {
  const deployment = deploymentSchema.parse({
    document,
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY_A', 'KEY_B'],
    requests: embeddedRequests(document),
    windowSeconds: document.windowSeconds,
  });
  const windowMs = document.windowSeconds * 1_000;
  return { deployment, limits: limitsOf(document), windowMs, mode: 'full', keys: ['A', 'B'] };
}
