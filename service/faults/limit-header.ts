import { documentedLimits } from '../../contract/scopes.ts';
import type { Fault } from './fault.ts';
import { otherHeader } from './rate-headers.ts';

/** Faults about the value of X-RateLimit-Limit. */
export const limitHeaderFaults = [
  {
    name: 'limit-header-of-standard',
    summary: 'X-RateLimit-Limit is the limit of standard routes on every answer',
    must: ['headers.limit'],
    may: [],
    reasons: ['wrong-limit'],
    patch: otherHeader('limit', () => String(documentedLimits.standard)),
  },
  {
    name: 'limit-header-off-by-one',
    summary: 'X-RateLimit-Limit is one below the limit that is enforced',
    must: ['headers.limit'],
    may: [],
    reasons: ['wrong-limit'],
    patch: otherHeader('limit', ({ rate }) => String(rate.limit - 1)),
  },
  {
    name: 'limit-header-doubled',
    summary: 'X-RateLimit-Limit is set by a gateway and again by the service: "120, 120"',
    must: ['headers.limit'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherHeader('limit', ({ rate }) => `${rate.limit}, ${rate.limit}`),
  },
  {
    name: 'limit-header-with-policy',
    summary: 'X-RateLimit-Limit contains the policy of an early IETF draft: "120;w=60"',
    must: ['headers.limit'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherHeader('limit', ({ rate }) => `${rate.limit};w=${rate.windowMs / 1_000}`),
  },
  {
    name: 'limit-header-float',
    summary: 'X-RateLimit-Limit is written as a float: "120.0"',
    must: ['headers.limit'],
    may: [],
    reasons: ['not-an-integer'],
    patch: otherHeader('limit', ({ rate }) => rate.limit.toFixed(1)),
  },
] as const satisfies readonly Fault[];
