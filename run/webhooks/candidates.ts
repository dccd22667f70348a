import type { CandidateSignature, UnsignedRequest } from '../../checks/webhooks/drive/drive-receiver.ts';
import { parseBody } from '../../contract/error-body.ts';
import { commonSignatures } from '../../judge/webhooks/common-signatures.ts';

/** What a receiver may expect in place of the right signature: the computations by which `webhooks verify` explains a value. */
export function candidatesFor(
  secret: string,
  { body, target }: UnsignedRequest,
): readonly CandidateSignature[] {
  const text = body.toString('utf8');
  const request = { method: 'POST', path: target.pathname + target.search, times: [] };
  const headers = [['Host', target.host]] as const;
  return commonSignatures({ bytes: body, text, parsed: parseBody(text), headers, ...request }, secret);
}
