import type { Clause, DecidedId } from '../clause.ts';

/** Why a clause of the load suite says nothing where its scenario was not wanted. */
export const notWanted = 'not run: this load scenario was left out';

const common = { section: 'Limits', needs: 'load', dependsOn: [] } as const;
const must = { ...common, level: 'must' } as const;
const observe = { ...common, level: 'observe', violation: 'Never: what is found is reported.' } as const;

/** What the document’s limits promise where the pressure is high; each is shown by a scenario of the load suite. */
export const loadClauses = [
  {
    ...must,
    id: 'load.messages-burst',
    title: 'one sharp burst at /v1/messages',
    requirement:
      'Of one and a half times the limit arriving at once on an idle key, exactly the limit is admitted and the others get a 429.',
    judged:
      'k6 sends two thirds of the limit, which open its connections, and the rest at once over them, from one client or from many ' +
      'independent ones; the judge of over-admission decides, and the admitted requests are counted.',
    violation: 'More than the limit of the burst admitted.',
  },
  {
    ...must,
    id: 'load.media-burst',
    title: 'one sharp burst of uploads',
    requirement:
      'Of one and a half times the limit of uploads arriving at once on an idle key, exactly the limit is admitted and the others get a 429.',
    judged:
      'k6 sends multipart files from a few bytes to the size in the settings at once; the judge of over-admission decides.',
    violation: 'More than the limit of the burst admitted.',
  },
  {
    ...must,
    id: 'load.rolling-window',
    title: 'capacity returns, never at once',
    requirement:
      'Waves around the wall-clock minute and around the expiry of the first of them are admitted as requests leave ' +
      'the window, one by one.',
    judged:
      'The lengths of rolling window that explain every admission and every 429 of the waves are computed.',
    violation: 'Limit + 1 admissions inside one window, such as the doubled burst of a fixed window.',
  },
  {
    ...must,
    id: 'load.over-pressure',
    title: 'exact at three times the limit',
    requirement:
      'Under three times the limit of every scope a key still gets the limit in any minute: no more, and no fewer.',
    judged:
      'The judges of over-admission and of wrongful 429s decide over the whole stream; answers that are neither 2xx ' +
      'nor 429 leave it open.',
    violation: 'Limit + 1 admissions inside one window, or a 429 although the window had room.',
  },
  {
    ...must,
    id: 'load.sustained',
    title: 'no 429 just below the limits',
    requirement: 'A key that stays a few percent below its limits, evenly spaced, never gets a 429.',
    judged: 'The judge of wrongful 429s decides about every refusal; it is held where nothing is refused.',
    violation: 'A 429 although the window had room.',
  },
  {
    ...must,
    id: 'load.noisy-neighbour',
    title: 'a flood costs others nothing',
    requirement: 'While one key sends five times its limit, another at half its limit gets no 429.',
    judged: 'Refusals of the neighbour are judged once requests made before the run can no longer matter.',
    violation: 'A 429 for the neighbour although the window had room for it.',
  },
  {
    ...must,
    id: 'load.mixed-scopes',
    title: 'full scopes keep their limits',
    requirement: 'With all scopes filled at once on one key, each admits exactly its own limit.',
    judged:
      'A window after one request to each, exactly the limit goes to all at once, none of which may be refused under ' +
      'either reading of rejections; then a fifth more, which has no room.',
    violation: '429s that a scope’s own requests cannot explain, or more than its limit admitted.',
  },
  {
    ...must,
    id: 'load.many-keys',
    title: 'limits are per key, with many',
    requirement: 'With a thousand keys in use, none is refused for the requests of others.',
    judged: 'Every key is asked again a window after its first request; three are filled to their limit.',
    violation: 'A 429 for a key with next to no requests, or more than the limit on one.',
  },
  {
    ...must,
    id: 'load.nodes',
    title: 'nodes share one window',
    requirement: 'The limit holds for a key over all nodes of the service together, not for each of them.',
    judged: 'One burst goes to all base URLs in turn; the judge of over-admission decides.',
    violation: 'More than the limit admitted, at worst the limit of each node.',
  },
  {
    ...observe,
    id: 'load.latency',
    title: 'how quick is a 429?',
    requirement: 'The document does not say how long an answer takes, nor whether a refusal is quicker.',
    judged: 'Latencies of 2xx answers and 429s under three times the limit.',
  },
  {
    ...observe,
    id: 'load.neighbour-latency',
    title: 'what a flood costs in time',
    requirement: 'The document does not say whether one key’s flood may slow another’s answers.',
    judged: 'Latencies of the neighbour alone and beside the flood.',
  },
  {
    ...observe,
    id: 'load.keys-cost',
    title: 'what many keys cost in time',
    requirement: 'The document does not say how the time of an answer depends on the number of keys.',
    judged: 'Latencies at one pace with 1, 10, 100 … keys in use.',
  },
] as const satisfies readonly Clause[];

/** Said where no scope has a burst that bears its name. */
export const burstClause = {
  ...must,
  id: 'load.burst',
  title: 'one sharp burst at each limit',
  requirement:
    'Of one and a half times what a limit lets pass at once, arriving at once on an idle key, as many are admitted as it ' +
    'promises: no more than it bounds, and no fewer than it grants.',
  judged:
    'k6 sends two thirds of what passes at once, which open its connections, and the rest at once over them, from one client or ' +
    'from many independent ones; the judge of the limit decides, and the admitted requests are counted.',
  violation: 'Admissions, or refusals, that no limit of the promised kind explains.',
} as const satisfies Clause;

type Registered = (typeof loadClauses)[number];

export type LoadClauseId = Registered['id'];

export type DecidedLoadClauseId = DecidedId<Registered>;
