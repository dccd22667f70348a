import type { Fault } from './fault.ts';
import { isRefused, otherFields, otherHeader } from './rate-headers.ts';

/** Faults about which answers carry the three headers. */
export const presenceFaults = [
  {
    name: 'headers-missing-on-429',
    summary:
      'a 429 carries none of the three rate-limit headers, for example because the limiter answers by itself',
    must: ['headers.present'],
    may: [],
    reasons: ['missing-on-429'],
    patch: otherFields((fields, counted) => (isRefused(counted) ? [] : fields)),
  },
  {
    name: 'headers-missing-on-success',
    summary: 'only a 429 carries the three headers',
    must: ['headers.present'],
    may: [],
    reasons: ['missing-on-success'],
    patch: otherFields((fields, counted) => (isRefused(counted) ? fields : [])),
  },
  {
    name: 'headers-missing-on-errors',
    summary:
      'errors other than a 429 carry none of the three headers, for example because an error handler ' +
      'drops them',
    must: ['headers.present'],
    may: [],
    reasons: ['missing-on-error'],
    patch: otherFields((fields, counted, status) => (status >= 400 && !isRefused(counted) ? [] : fields)),
  },
  {
    name: 'headers-renamed',
    summary: 'the headers have the names of the IETF draft: RateLimit-Limit and so on',
    must: ['headers.present'],
    may: [],
    reasons: ['missing-on-success'],
    patch: otherFields((fields) => fields.map(([name, value]) => [name.replace(/^X-/, ''), value])),
  },
  {
    name: 'reset-missing',
    summary: 'X-RateLimit-Reset is never sent',
    must: ['headers.present'],
    may: [],
    reasons: ['missing-on-success'],
    patch: otherHeader('reset', () => null),
  },
] as const satisfies readonly Fault[];
