import type { Clause } from '../clause.ts';

const section = 'Limits';
const counts = [
  'limits.standard',
  'limits.messages',
  'limits.media',
  'limits.per-scope',
  'limits.per-key',
  'limits.messages-subpaths',
  'window.rolling',
  'window.length',
] as const;

/** What the document promises about the three rate-limit headers. */
export const headerClauses = [
  {
    id: 'headers.present',
    section,
    level: 'must',
    title: 'three headers on every response',
    requirement:
      'Every response to a request with a valid key carries X-RateLimit-Limit, -Remaining and -Reset.',
    judged:
      'Every 2xx, 429 and other 4xx answer to a valid key is looked at. Left out is what another layer answers: 5xx, and ' +
      '408, 413, 431 and 499 without any of the three.',
    violation: 'An answer without one of the three.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'headers.limit',
    section,
    level: 'must',
    title: 'Limit is the documented number',
    requirement:
      'X-RateLimit-Limit is the number of requests allowed in the rolling window of the route’s scope.',
    judged: 'Compared with the documented limit of the scope, as a plain integer.',
    violation: 'Another number, a list, or something that is no integer.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'headers.remaining',
    section,
    level: 'must',
    title: 'Remaining counts down correctly',
    requirement: 'X-RateLimit-Remaining is the limit less the requests that the window holds.',
    judged:
      'Each value must lie between the limit less all that may be in the window and the limit less all that surely is, ' +
      'under a reading of rejections that the trace leaves; values too low are judged only once earlier use cannot explain them.',
    violation: 'A value that no order of counting explains, or one that is no plain integer.',
    needs: 'any-request',
    dependsOn: counts,
  },
  {
    id: 'headers.remaining-on-429',
    section,
    level: 'must',
    title: 'Remaining is 0 on a 429',
    requirement: 'A response that refuses for the rate limit says that nothing remains.',
    judged:
      'Every 429 with an integer Remaining: it may be as many as may have come free before the answer was written.',
    violation: 'A 429 with a Remaining other than 0 while nothing can have come free.',
    needs: 'saturation',
    dependsOn: [],
  },
  {
    id: 'headers.reset',
    section,
    level: 'must',
    title: 'Reset is Unix time in seconds',
    requirement: 'X-RateLimit-Reset is a Unix time in seconds, not past and not beyond one window from now.',
    judged:
      'Violated only if a value lies, by no clock offset within clockSkewSecondsMax, between now and one window from now, ' +
      'rounding in either direction allowed. Each node has an offset of its own. Values of one node that fit no offset ' +
      'together are inconclusive: its clock may have been stepped.',
    violation:
      'Milliseconds, a number of seconds to wait, a date in words, a moment long past or further away than a window.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'headers.reset-meaning',
    section,
    level: 'observe',
    title: 'what Reset means',
    requirement:
      'A rolling window has no single moment of reset; the document does not say which one is meant.',
    judged:
      'Compared with: the oldest request leaves, the window empties, one window from now, the end of a fixed window.',
    violation: 'Never: what is found is reported.',
    needs: 'saturation',
    dependsOn: [],
  },
  {
    id: 'headers.without-key',
    section,
    level: 'observe',
    title: 'headers where there is no key',
    requirement: 'Without a valid key there is no window that the headers could describe.',
    judged: 'Answers to requests without a valid key are looked at.',
    violation: 'Never: what is found is reported.',
    needs: 'any-request',
    dependsOn: [],
  },
  {
    id: 'headers.date',
    section,
    level: 'observe',
    title: 'clock offset by Date',
    requirement: 'The Date header shows roughly how far the service’s clock is off ours.',
    judged:
      'The offsets that fit every Date; it is evidence, not a bound: proxies shift it and servers cache it.',
    violation: 'Never: what is found is reported.',
    needs: 'any-request',
    dependsOn: [],
  },
] as const satisfies readonly Clause[];

export type HeaderClauseId = (typeof headerClauses)[number]['id'];
