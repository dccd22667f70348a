import type { RegisteredId } from './clauses/registry.ts';
import type { ClientClauseId } from './clients/clauses.ts';
import type { Complete } from './complete.ts';
import { messagingDocument } from './document/messaging.ts';
import type { WebhookClauseId } from './webhooks/clauses.ts';

type AnyClauseId = RegisteredId | ClientClauseId | WebhookClauseId;

/** One thing that the document says, in our words, and what becomes of it here. */
export type Statement = {
  /** Heading of the document under which it stands. */
  readonly section: string;
  readonly says: string;
} & ({ readonly clauses: readonly AnyClauseId[] } | { readonly excluded: string });

const notShown = 'the document calls it not shown: configured, never judged';
const vocabulary = 'introduces what other statements are about; promises nothing by itself';

const told = [
  {
    section: 'What the service does',
    says: 'Messages go over a channel bound to a business number.',
    excluded: vocabulary,
  },
  {
    section: 'What the service does',
    says: 'A REST API lies under the base URL, with paths under /v1.',
    clauses: ['version.prefix'],
  },
  {
    section: 'What the service does',
    says: 'Webhooks are pushed to a subscriber, as POST requests with a JSON body.',
    clauses: ['webhook.method', 'webhook.content-type', 'webhook.envelope'],
  },
  {
    section: 'What the service does',
    says: 'Webhooks are subscribed to in the dashboard.',
    excluded: 'a person does that; no request of the document reaches it',
  },
  {
    section: 'What the service does',
    says: 'The request rate is limited per API key, and consumption is reported in headers.',
    clauses: ['limits.per-key', 'headers.present'],
  },
  { section: 'What the service does', says: 'Subscription set-up.', excluded: notShown },
  {
    section: 'Resources and their fields',
    says: 'Every event has event, one of five kinds, timestamp, an epoch number without a stated unit, and data.',
    clauses: [
      'webhook.envelope',
      'webhook.event',
      'webhook.timestamp',
      'webhook.timestamp-unit',
      'webhook.encodings',
    ],
  },
  {
    section: 'Resources and their fields',
    says: 'data of message.received: ids, numbers in digits, recipient equal to waba_number, type, body where it is text.',
    clauses: ['webhook.received-data', 'webhook.message-id', 'webhook.numbers', 'webhook.recipient-is-waba'],
  },
  {
    section: 'Resources and their fields',
    says: 'data of message.read: sender the business, recipient the customer, status read.',
    clauses: ['webhook.read-data', 'webhook.message-id', 'webhook.numbers'],
  },
  {
    section: 'Resources and their fields',
    says: 'A receiver tolerates a locally simulated message.received without waba_number and recipient.',
    excluded: 'binds the receiver: "webhooks drive" holds a subscriber to it',
  },
  {
    section: 'Resources and their fields',
    says: 'data of message.sent, delivered and failed; types other than text.',
    clauses: ['webhook.other-data'],
  },
  {
    section: 'Resources and their fields',
    says: 'The message resource of the REST API.',
    excluded: notShown,
  },
  {
    section: 'States and transitions',
    says: 'The stages of a message, named by events; transitions are not shown.',
    clauses: ['webhook.ordering'],
  },
  {
    section: 'Endpoints',
    says: 'Webhooks are POSTed with a content type and a signature header.',
    clauses: ['webhook.method', 'webhook.content-type', 'webhook.signature-form'],
  },
  {
    section: 'Endpoints',
    says: 'The status, body and time-out that a receiver is expected to answer with.',
    clauses: ['webhook.retries'],
  },
  {
    section: 'Endpoints',
    says: 'GET /v1/status takes a bearer key, and its response carries the three headers.',
    clauses: ['auth.bearer', 'headers.present'],
  },
  { section: 'Endpoints', says: 'The body of GET /v1/status.', excluded: notShown },
  {
    section: 'Endpoints',
    says: '/v1/messages and any path below it have a rate limit of their own.',
    clauses: ['limits.messages', 'limits.messages-subpaths', 'limits.per-scope'],
  },
  { section: 'Endpoints', says: 'Methods, sub-paths and bodies of messaging endpoints.', excluded: notShown },
  {
    section: 'Endpoints',
    says: 'Media uploads are limited separately.',
    clauses: ['limits.media', 'limits.per-scope'],
  },
  { section: 'Endpoints', says: 'Path, method and shapes of media uploads.', excluded: notShown },
  {
    section: 'Authentication',
    says: 'Requests carry Authorization: Bearer <API_KEY>.',
    clauses: ['auth.bearer'],
  },
  {
    section: 'Authentication',
    says: 'The key comes from the dashboard, and limits are counted per key.',
    clauses: ['limits.per-key'],
  },
  {
    section: 'Authentication',
    says: 'Webhook requests carry X-Service-Signature, of the form sha256=<signature>.',
    clauses: ['webhook.signature-form'],
  },
  {
    section: 'Authentication',
    says: 'Issuing, rotating and scoping of keys.',
    excluded: `${notShown}; what a wrong key gets is observed (auth.rejections, auth.rejections-cost, headers.without-key)`,
  },
  {
    section: 'Authentication',
    says: 'How signatures are computed and verified.',
    clauses: ['webhook.signature'],
  },
  {
    section: 'Events',
    says: 'Every event is one POST with the envelope; event carries the kind exactly as written.',
    clauses: ['webhook.one-post-per-event', 'webhook.envelope', 'webhook.event'],
  },
  {
    section: 'Events',
    says: 'When each of the five events is emitted.',
    clauses: ['webhook.ordering', 'webhook.latency'],
  },
  {
    section: 'Events',
    says: 'Retries, delivery guarantees, ordering and time-outs of webhook delivery.',
    clauses: ['webhook.retries', 'webhook.duplicates', 'webhook.ordering', 'webhook.latency'],
  },
  {
    section: 'Errors',
    says: 'Error responses have success false and an error object with a code and a message.',
    clauses: [
      'error.shape',
      'error.message',
      'error.message-text',
      'error.other-shape',
      'error.content-type',
    ],
  },
  {
    section: 'Errors',
    says: 'retry_after_seconds is an integer, the seconds to wait before retrying.',
    clauses: [
      'error.retry-after',
      'error.retry-after-length',
      'error.retry-after-suffices',
      'error.retry-after-header',
    ],
  },
  {
    section: 'Errors',
    says: '429 with rate_limit_exceeded when the number of requests in the rolling window is exceeded.',
    clauses: ['error.status', 'error.code', 'limits.rejections-count'],
  },
  {
    section: 'Errors',
    says: 'A client retries with exponential backoff and jitter, and waits at least retry_after_seconds.',
    // What binds the caller is judged by a trace of the caller; that waiting so long is enough binds the deployment.
    clauses: [
      'error.retry-after-suffices',
      'client.waits',
      'client.backoff-grows',
      'client.jitter',
      'client.loses-nothing',
      'client.repeats-nothing',
      'client.refusals',
      'client.makespan',
      'client.concurrency',
    ],
  },
  {
    section: 'Errors',
    says: 'Other status codes and error codes.',
    clauses: ['error.other-codes', 'auth.rejections'],
  },
  {
    section: 'Limits',
    says: 'Limits are counted per API key, in rolling windows.',
    clauses: [
      'limits.per-key',
      'window.rolling',
      'window.granularity',
      'load.rolling-window',
      'load.noisy-neighbour',
      'load.many-keys',
      'load.nodes',
      'load.neighbour-latency',
      'load.keys-cost',
    ],
  },
  {
    section: 'Limits',
    says: '120 requests a minute on standard routes (2 per second).',
    clauses: [
      'limits.standard',
      'load.over-pressure',
      'load.sustained',
      'load.mixed-scopes',
      'window.length',
      'limits.per-second',
    ],
  },
  {
    section: 'Limits',
    says: '300 requests a minute on messaging endpoints (5 per second burst).',
    clauses: ['limits.messages', 'load.messages-burst', 'window.length', 'limits.per-second'],
  },
  {
    section: 'Limits',
    says: '30 media uploads a minute.',
    clauses: ['limits.media', 'load.media-burst', 'window.length'],
  },
  {
    section: 'Limits',
    says: 'Every API response carries the three headers.',
    clauses: ['headers.present', 'headers.without-key'],
  },
  {
    section: 'Limits',
    says: 'X-RateLimit-Limit is the maximum in the rolling window.',
    clauses: ['headers.limit'],
  },
  {
    section: 'Limits',
    says: 'X-RateLimit-Remaining is what remains in the current window.',
    clauses: ['headers.remaining', 'headers.remaining-on-429', 'auth.rejections-cost'],
  },
  {
    section: 'Limits',
    says: 'X-RateLimit-Reset is the Unix time in seconds at which the window resets.',
    clauses: ['headers.reset', 'headers.reset-meaning', 'headers.date'],
  },
  {
    section: 'Limits',
    says: 'Over the limit the response is 429 with rate_limit_exceeded.',
    clauses: ['error.status', 'error.code', 'load.latency'],
  },
  {
    section: 'Limits',
    says: 'Limits on webhooks, payloads, messages and subscriptions.',
    excluded: notShown,
  },
  {
    section: 'Versioning',
    says: 'The version is a path prefix; the one shown is /v1.',
    clauses: ['version.prefix'],
  },
  { section: 'Versioning', says: 'Version policy and deprecation.', excluded: notShown },
] as const satisfies readonly Statement[];

type Named = Extract<(typeof told)[number], { readonly clauses: unknown }>['clauses'][number];

type Unnamed = Exclude<AnyClauseId, Named>;

/** Every statement of the document, in its order: a clause, or the reason why there is none. */
export const statements: Complete<readonly Statement[], `${Unnamed}: no statement names it`> = told;

/** The sentences of documents that are told here, by what reports call the document. */
export const statementsByTitle: ReadonlyMap<string, readonly Statement[]> = new Map([
  [messagingDocument.title, statements],
]);
