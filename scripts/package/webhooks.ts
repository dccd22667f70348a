// What `import … from 'messaging-conformance/webhooks'` gives: the signature of a webhook, for a receiver and for tests of
// one.

export { signatureHeader } from '../../contract/webhooks/signature.ts';
export { type SignedDelivery, sign, verify } from './sign.ts';
