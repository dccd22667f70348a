import { requestTemplateSchema } from '../../../contract/request-template.ts';
import { documentedLimits } from '../../../contract/scopes.ts';
import { referenceRequests } from '../../../service/reference-requests.ts';
import { startService } from '../../../service/server.ts';
import { ownVersion } from '../package-version.ts';
import type { Peer } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { truthOf } from '../truth.ts';

/** The reference service of this project. */
export const thisService: Peer = {
  library: 'messaging-conformance (this project)',
  origin: 'this project',
  setting: 'reference service',
  rule: ruleOf(30, 60),
  truth: truthOf('sliding window log', 'limiters/sliding-log.ts'),
  version: ownVersion,
  refusal: 429,
  request: requestTemplateSchema.parse(referenceRequests.media),
  start: ({ rule: { limit, windowMs }, keys }) =>
    startService({ windowMs, keys, limits: { ...documentedLimits, media: limit }, graceMs: 0 }),
};
