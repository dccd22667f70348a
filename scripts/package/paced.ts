// What `import … from 'messaging-conformance/paced'` gives: an interceptor for undici that keeps a process within the rate
// limits of a service.

export type { ReadHeaders, SaidOfLimit } from '../../backoff/paced/headers.ts';
export type { PacedOptions } from '../../backoff/paced/options.ts';
export { documentedScopes, type Paced, paced } from '../../backoff/paced/paced.ts';
export type { PacedRequestHead, Scopes } from '../../backoff/paced/scopes.ts';
export { PacedSettingsError } from '../../backoff/paced/settings-error.ts';
