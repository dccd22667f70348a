import type { Clause, DecidedId } from '../clause.ts';

const section = 'Errors';
const needs = 'refused-client';

/** What the document asks of whoever calls the service: judged by a trace of the proving ground. */
const registered = [
  {
    id: 'client.waits',
    section,
    level: 'must',
    title: 'waits retry_after_seconds',
    requirement: 'A client that got a 429 waits at least its retry_after_seconds before it retries.',
    judged:
      'By the service’s own clock, from the moment before a 429 was sent to the arrival of the same request: longer than the client can have waited.',
    violation: 'A retry that arrives sooner than the 429 allows.',
    needs,
    dependsOn: [],
  },
  {
    id: 'client.backoff-grows',
    section,
    level: 'should',
    title: 'backs off further each time',
    requirement: 'A client that is refused again and again waits exponentially longer.',
    judged:
      'Waits of requests that were refused several times in a row with the same retry_after_seconds: whether they grow by 30 % or more from one to the next, or by less than 15 %, with 99 % confidence.',
    violation: 'Waits that stay as they are, however often the request is refused.',
    needs,
    dependsOn: [],
  },
  {
    id: 'client.jitter',
    section,
    level: 'should',
    title: 'waits with jitter',
    requirement:
      'A client spreads its waits by chance, so that clients that were refused together do not return together.',
    judged:
      'Pairs of waits after 429s alike: how many are within 20 ms or 2 % of each other, with 99 % confidence.',
    violation: 'Most waits are the same.',
    needs,
    dependsOn: [],
  },
  {
    id: 'client.loses-nothing',
    section,
    level: 'should',
    title: 'retries until it is admitted',
    requirement: 'A client retries after a 429: what it wants to be done is done in the end.',
    judged:
      'Every request that was refused is followed until it was admitted, or the client was done without it.',
    violation: 'Requests that were given up, or announced and never sent.',
    needs,
    dependsOn: [],
  },
  {
    id: 'client.repeats-nothing',
    section,
    level: 'should',
    title: 'sends nothing twice',
    requirement:
      'A request is not sent again once it is admitted, nor while it is on its way: each costs a place in the window.',
    judged: 'Requests with an Idempotency-Key that were admitted twice, or were on their way twice at once.',
    violation: 'The same request admitted again.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'client.refusals',
    section,
    level: 'observe',
    title: '429s per 100 admitted',
    requirement: 'The document does not say how many 429s are too many.',
    judged: 'Refused and admitted requests of each scope, with the key whose limits are the documented ones.',
    violation: 'Never: what is found is reported.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'client.makespan',
    section,
    level: 'observe',
    title: 'time against the least possible',
    requirement: 'The document does not say how fast a client has to be.',
    judged:
      'From the first request of a scope to the last admission, against a window for each full one that has to pass before: (⌈B/N⌉ − 1) · W.',
    violation: 'Never: what is found is reported.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'client.concurrency',
    section,
    level: 'observe',
    title: 'connections, sharpest burst',
    requirement: 'The document does not limit connections.',
    judged: 'Connections opened, and the most arrivals in 100 ms.',
    violation: 'Never: what is found is reported.',
    needs: 'any-request',
    dependsOn: [],
  },
] as const satisfies readonly Clause[];

type Registered = (typeof registered)[number];

export type ClientClauseId = Registered['id'];

export type DecidedClientClauseId = DecidedId<Registered>;

/** Every clause that binds a client, in the order of reports. */
export const clientClauses: readonly (Clause & { readonly id: ClientClauseId })[] = registered;
