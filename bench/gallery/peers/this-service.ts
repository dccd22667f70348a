import { requestTemplateSchema } from '../../../contract/deployment.ts';
import { documentedLimits } from '../../../contract/scopes.ts';
import { referenceRequests } from '../../../service/reference-requests.ts';
import { startService } from '../../../service/server.ts';
import { ownVersion } from '../package-version.ts';
import type { Peer } from '../peer.ts';

/** The reference service of this project. */
export const thisService: Peer = {
  library: 'messaging-conformance (this project)',
  setting: 'reference service',
  version: ownVersion,
  expected: ['sliding-log'],
  refusal: 429,
  request: requestTemplateSchema.parse(referenceRequests.media),
  start: ({ rule: { limit, windowMs }, keys }) =>
    startService({ windowMs, keys, limits: { ...documentedLimits, media: limit }, graceMs: 0 }),
};
