/** The name of a scope: what a document counts together. */
export type Scope = string;

/** Requests allowed per API key in one rolling window, by scope. */
export type Limits = Readonly<Record<Scope, number>>;

/**
 * The limit of a scope.
 * @throws where the document has no such scope.
 */
export function limitIn(limits: Limits, scope: Scope): number {
  const limit = limits[scope];
  if (limit === undefined) throw new Error(`there is no limit for the scope ${scope}`);
  return limit;
}

/** The three scopes in which the messaging document counts requests (section "Limits"). */
export const scopes = ['standard', 'messages', 'media'] as const;

export type MessagingScope = (typeof scopes)[number];

/** Section "Limits": 120 on standard routes, 300 on `/v1/messages` and below, 30 on media uploads. */
export const documentedLimits: Readonly<Record<MessagingScope, number>> = {
  standard: 120,
  messages: 300,
  media: 30,
};

/** Section "Limits": every limit is given per minute. */
export const documentedWindowMs = 60_000;
