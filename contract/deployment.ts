import { z } from 'zod';
import { answeredAsRefusedText } from './document/conflicts.ts';
import { othersOf } from './document/cost.ts';
import { carriesKeys } from './document/counted-by.ts';
import { type DocumentInput, documentSchema, limitedStatusesOf, scopesOf } from './document/document.ts';
import { servesWithoutKey } from './document/key-place.ts';
import { messagingDocument } from './document/messaging.ts';
import { answeredOf, type RequestTemplate, requestTemplateSchema } from './request-template.ts';
import type { Scope } from './scopes.ts';
import { transportSchema } from './transport.ts';

const environmentName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, not a key itself');

const baseUrlSchema = z
  .url({
    protocol: /^https?$/,
    error: 'must be an http:// or https:// URL, e.g. "https://api.example.test"',
  })
  .refine((url) => {
    // Said above; what is aborted there keeps checks of other fields from being made.
    if (!URL.canParse(url)) return true;
    const { username, password, search, hash } = new URL(url);
    return [username, password, search, hash].every((part) => part === '');
  }, 'must have no user name, query or fragment: keys come from the environment');

const requestsSchema = z
  .strictObject({
    /** `GET /v1/status` is the one request that the messaging document shows whole. */
    standard: requestTemplateSchema.optional(),
    messages: requestTemplateSchema.optional(),
    /** A request below `/v1/messages` that is answered 2xx: it must share the window of `messages`. */
    messagesSubpath: requestTemplateSchema.optional(),
    media: requestTemplateSchema.optional(),
    /** A request that is answered with an error other than 429, to see the shape of other errors. */
    otherError: requestTemplateSchema.optional(),
  })
  // Scopes of another document, by their names.
  .catchall(requestTemplateSchema.optional());

/** When a run stops sending because the target fails: it answers neither 2xx nor 429, or not at all. */
const breakerSchema = z.strictObject({
  /** After so many failures in a row, of one key and scope; 0: however many there are. */
  failuresInARow: z.int().min(0).max(100_000).default(20),
  /** Where more than this share of the last 100 answers are failures; 1: whatever the share. */
  failureShare: z.number().min(0).max(1).default(0.5),
  /** How long a run waits once, where a failing target asks for it by `Retry-After`; longer waits end the run. */
  retryAfterSecondsMax: z.number().min(0).max(3_600).default(60),
});

const namesSchema = z.array(environmentName).max(2);

/** Names of the environment variables that hold the API keys. All clauses need two keys, most need one. */
export const keyNamesSchema = namesSchema.min(1, 'needs at least one environment variable');

const settingsSchema = z.strictObject({
  /** What is promised; left out: the messaging document. */
  document: documentSchema.default(messagingDocument),
  /** What reports call this deployment. */
  name: z.string().min(1).max(80).optional(),
  /** One base URL, or one for each node of the service. The path of each is a prefix of all requests. */
  baseUrls: z.array(baseUrlSchema).min(1, 'needs at least one URL').max(16),
  /**
   * Names of the environment variables that hold the API keys; none where requests carry no key: the document then counts by
   * address, and says nothing of keys.
   */
  keyEnv: namesSchema.default([]),
  /** The request that stands for each scope; a scope without one is not run. */
  requests: requestsSchema.default({}),
  /** For each scope a second request, with another method, that is answered 2xx: it must share the scope's window. */
  otherMethods: z
    .strictObject({
      standard: requestTemplateSchema.optional(),
      messages: requestTemplateSchema.optional(),
      media: requestTemplateSchema.optional(),
    })
    .catchall(requestTemplateSchema.optional())
    .default({}),
  /** The window of all limits, seconds; left out: as the document has it. */
  windowSeconds: z.number().min(1).max(3_600).default(messagingDocument.windowSeconds),
  /**
   * How the service means "2 per second" and "5 per second": the minute's average, or a cap of its own. Left out:
   * refusals that only a cap explains are inconclusive.
   */
  perSecond: z.enum(['average', 'cap']).optional(),
  /**
   * Where the media request lies below `/v1/messages`: whether an upload is counted as an upload alone, or as a message
   * too. Left out: what only the second explains is inconclusive.
   */
  mediaBelowMessages: z.enum(['media', 'both']).optional(),
  /** Nobody else uses these keys during a run. Where somebody does, wrongful refusals cannot be detected. */
  exclusiveKeys: z.boolean().default(true),
  /** How far the service's clock may be off ours before `X-RateLimit-Reset` counts as wrong. */
  clockSkewSecondsMax: z.number().min(0).max(300).default(5),
  /** Requests without a valid key, to see how they are answered. Some services ban an address for them. */
  probeWithoutKey: z.boolean().default(true),
  requestTimeoutSeconds: z.number().min(0.1).max(60).default(10),
  breaker: breakerSchema.prefault({}),
  /** A run never sends more requests than this, probes and k6 together. Left out: as many as its plan says. */
  maxRequests: z.int().min(1).optional(),
  /** Connections opened ahead of time for each scope. */
  connectionsPerScope: z.int().min(1).max(300).default(50),
  /** How requests get there: certificates, proxy, version of HTTP, addresses. Left out: straight, by HTTP/1.1. */
  transport: transportSchema.optional(),
});

/** What has to be read before it is known whether keys are missing; other fields may be wrong meanwhile. */
const readForKeys = z.looseObject({ document: z.looseObject({}), keyEnv: z.array(z.unknown()) });

export const deploymentSchema = settingsSchema
  .refine(({ document, keyEnv }) => keyEnv.length > 0 || servesWithoutKey(document), {
    path: ['keyEnv'],
    message: 'is missing',
    when: ({ value }) => readForKeys.safeParse(value).success,
  })
  .superRefine(({ document, ...fields }, context) => {
    const limited = limitedStatusesOf(document);
    for (const field of ['requests', 'otherMethods'] as const)
      for (const [name, request] of Object.entries(fields[field])) {
        const message = request === undefined ? null : answeredWrongly(name, request, limited);
        if (message !== null) context.addIssue({ code: 'custom', path: [field, name, 'answered'], message });
      }
  });

/** Why a request's answers would not tell whether it passed, or need not; `null` where they do. */
function answeredWrongly(name: string, request: RequestTemplate, limited: readonly number[]): string | null {
  const statuses = answeredOf(request);
  const refused = statuses.find((status) => limited.includes(status));
  if (refused !== undefined) return answeredAsRefusedText(refused);
  return name === 'otherError' && statuses.length > 0
    ? 'stands beside a request whose error is looked at, and is no answer of one that passes: leave it out'
    : null;
}

/** Settings as a person writes them: everything but the base URLs and the names of the keys has a default. */
export type DeploymentInput = Omit<z.input<typeof deploymentSchema>, 'document'> & {
  /** What is promised: a document, or the path of its file from here; left out: the messaging document. */
  document?: DocumentInput | string;
};

/** Settings after parsing: defaults filled in, every field checked. Holds no secret. */
export type Deployment = z.infer<typeof deploymentSchema>;

/** Types a `conformance.config.ts`: `export default defineDeployment({ … })`. Checked when it is loaded. @public */
export function defineDeployment(input: DeploymentInput): DeploymentInput {
  return input;
}

/** What the keys of a run are called; one that sends none is one client, and called as its first key would be. */
export function keyAliasesOf({ keyEnv }: { readonly keyEnv: readonly string[] }): readonly string[] {
  return ['A', 'B'].slice(0, Math.max(1, keyEnv.length));
}

/** Whether the requests of a run carry keys. */
export function sendsKeys({ keyEnv }: { readonly keyEnv: readonly string[] }): boolean {
  return keyEnv.length > 0;
}

/** Whether a run asks without a valid key too; where none is sent at all, each request is such a one. */
export function asksWithoutKey(deployment: Pick<Deployment, 'keyEnv' | 'probeWithoutKey'>): boolean {
  return deployment.probeWithoutKey && sendsKeys(deployment);
}

/** Scopes that have a request, in the document's order. */
export function scopesWithRequest({
  document,
  requests,
}: Pick<Deployment, 'document' | 'requests'>): readonly Scope[] {
  return scopesOf(document).filter((scope) => requests[scope] !== undefined);
}

/** Scopes that have a request, and in which requests carry keys where a run has any, in the document's order. */
export function scopesWithKey(deployment: Pick<Deployment, 'document' | 'requests'>): readonly Scope[] {
  return scopesWithRequest(deployment).filter((scope) => carriesKeys(deployment.document, scope));
}

/** The requests of a deployment that are counted in a scope, that which stands for it first; or the one that stands for something else. */
export function requestsAt(
  { document, requests, otherMethods }: Pick<Deployment, 'document' | 'requests' | 'otherMethods'>,
  subject: Scope,
): readonly RequestTemplate[] {
  const templates = [
    requests[subject],
    ...othersOf(document.scopes[subject] ?? {}).map(({ request }) => request),
    subject === 'messages' ? requests.messagesSubpath : undefined,
    otherMethods[subject],
  ];
  return templates.filter((one) => one !== undefined);
}
