/** The three scopes in which the document counts requests (section "Limits"). */
export const scopes = ['standard', 'messages', 'media'] as const;

export type Scope = (typeof scopes)[number];

/** Requests allowed per API key in one rolling window, by scope. */
export type Limits = Readonly<Record<Scope, number>>;

/** Section "Limits": 120 on standard routes, 300 on `/v1/messages` and below, 30 on media uploads. */
export const documentedLimits: Limits = { standard: 120, messages: 300, media: 30 };

/** Section "Limits": every limit is given per minute. */
export const documentedWindowMs = 60_000;

/**
 * The parentheses of section "Limits": "2 per second", "5 per second burst". Read as the minute's average
 * unless a deployment says that it enforces them as caps; media uploads have none.
 */
export const documentedPerSecond: Readonly<Record<Scope, number | null>> = {
  standard: 2,
  messages: 5,
  media: null,
};
