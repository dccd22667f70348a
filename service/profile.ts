import type { DeploymentInput } from '../contract/deployment.ts';
import { referenceMessageId } from './choices.ts';

/** The requests that stand for the scopes of this service: settings that another deployment has to give itself. */
export const referenceRequests = {
  standard: { method: 'GET', path: '/v1/status' },
  messages: {
    method: 'POST',
    path: '/v1/messages',
    body: { json: { recipient: '15550002000', type: 'text', body: 'conformance probe' } },
  },
  messagesSubpath: { method: 'GET', path: `/v1/messages/${referenceMessageId}` },
  media: { method: 'POST', path: '/v1/media', body: { file: { filename: 'probe.bin', bytes: 64 } } },
  otherError: { method: 'GET', path: '/v1/no-such-resource' },
} as const satisfies DeploymentInput['requests'];
