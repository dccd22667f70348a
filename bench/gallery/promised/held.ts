import type { Headers } from '../../../contract/document/headers.ts';
import type { PromiseSetting } from '../../../contract/document/promise.ts';
import type { Peer } from '../peer.ts';
import {
  expressRateLimit,
  expressRateLimitBy,
  expressRateLimitByProblems,
} from '../peers/express-rate-limit.ts';
import { honoRateLimiterBy } from '../peers/hono-rate-limiter.ts';
import { nginxLimitReq } from '../peers/nginx.ts';
import { dearRequest, rateLimiterFlexibleByPoints } from '../peers/rate-limiter-flexible.ts';
import { peers } from '../peers.ts';
import { type Rule, ruleOf } from '../rule.ts';
import { nameOf } from '../subject.ts';
import {
  fastifyBody,
  problemBody,
  problemWithoutDetail,
  problemWithWait,
  type WrittenBody,
} from './bodies.ts';

/** A document as somebody might write it for a limiter that is not ours. */
export type WrittenDocument = {
  readonly limit: number;
  readonly seconds: number;
  readonly promise: PromiseSetting;
  /** Which header fields it promises. */
  readonly headers: Extract<Headers, string>;
  /** Another request of the limit, and what it says that this one costs. */
  readonly other?: { readonly path: string; readonly cost: number };
  /** What it says of the bodies of refusals. */
  readonly body?: WrittenBody;
  /** How long it says that a refused client waits. */
  readonly waitSeconds?: number;
};

/** A limiter, the rule that it is given, documents that say the truth of it, and others that do not. */
export type HeldLimiter = {
  readonly peer: Peer;
  readonly rule: Rule;
  readonly truth: readonly WrittenDocument[];
  readonly others: readonly WrittenDocument[];
};

function inSeconds(limit: number, seconds: number, promise: PromiseSetting): WrittenDocument {
  return { limit, seconds, promise, headers: 'none' };
}

const inMinute = (
  limit: number,
  promise: PromiseSetting,
  headers: WrittenDocument['headers'] = 'none',
): WrittenDocument => ({
  ...inSeconds(limit, 60, promise),
  headers,
});

/** The same limit where a dear request is said to cost so much. */
function inMinuteByCost(cost: number): WrittenDocument {
  const promise = { kind: 'fixed', aligned: 'first-request' } as const;
  return { ...inMinute(120, promise), other: { path: dearRequest.path, cost } };
}

/** A row of the gallery, by the end of its name. */
function named(name: string): Peer {
  const peer = peers.find((one) => nameOf(one).endsWith(name));
  if (peer === undefined) throw new Error(`the gallery has no ${name}`);
  return peer;
}

/** So few in a rolling minute that hardly a place is left to be taken by itself. */
function rollingOfFew(name: string, limit: number): HeldLimiter {
  return {
    peer: named(name),
    rule: ruleOf(limit, 60),
    truth: [inMinute(limit, 'rolling')],
    others: [inMinute(limit - 1, 'rolling'), inMinute(limit + 1, 'rolling'), inMinute(limit, 'fixed')],
  };
}

/** What middleware for Node.js mostly keeps: a window that begins with its first request. */
function fromFirstRequest(name: string): HeldLimiter {
  return {
    peer: named(name),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, { kind: 'fixed', aligned: 'first-request' }), inMinute(120, 'fixed')],
    others: [inMinute(120, 'rolling'), inMinute(121, 'fixed'), inMinute(120, 'token-bucket')],
  };
}

/** The same limit with header fields of one of the IETF's drafts, which a document can promise or take for those of another. */
function withFields(
  peer: Peer,
  fields: {
    readonly truth: WrittenDocument['headers'];
    readonly others: readonly WrittenDocument['headers'][];
  },
): HeldLimiter {
  const promise = { kind: 'fixed', aligned: 'first-request' } as const;
  return {
    peer,
    rule: ruleOf(120, 60),
    truth: [inMinute(120, promise, fields.truth)],
    others: [
      ...fields.others.map((headers) => inMinute(120, promise, headers)),
      inMinute(121, promise, fields.truth),
    ],
  };
}

/** The same limit with what a document says of the bodies of refusals. */
function withBodies(
  held: HeldLimiter,
  { truth, others }: { readonly truth: readonly WrittenBody[]; readonly others: readonly WrittenBody[] },
): HeldLimiter {
  const written = (body: WrittenBody): WrittenDocument => ({
    ...inMinute(120, { kind: 'fixed', aligned: 'first-request' }),
    body,
  });
  return {
    ...held,
    truth: [...held.truth, ...truth.map(written)],
    others: [...held.others, ...others.map(written)],
  };
}

/** Who is refused is refused for as long as a window, whatever is asked meanwhile. */
function blockedForAMinute(name: string): HeldLimiter {
  const written = (waitSeconds: number): WrittenDocument => ({ ...inMinute(120, 'at-most'), waitSeconds });
  return { peer: named(name), rule: ruleOf(120, 60), truth: [written(60)], others: [written(50)] };
}

/** The limiters that are held to documents, in the order of the table. */
export const held: readonly HeldLimiter[] = [
  fromFirstRequest('express-rate-limit'),
  withFields(expressRateLimitBy('draft-6'), { truth: 'ietf-triple', others: ['ietf'] }),
  withFields(expressRateLimitBy('draft-7'), { truth: 'ietf-draft-7', others: ['ietf', 'ietf-triple'] }),
  withFields(expressRateLimitBy('draft-8'), { truth: 'ietf', others: ['ietf-draft-7', 'ietf-triple'] }),
  withBodies(
    { peer: expressRateLimitByProblems, rule: ruleOf(120, 60), truth: [], others: [] },
    { truth: [problemBody], others: [problemWithWait, problemWithoutDetail] },
  ),
  withBodies(fromFirstRequest('@fastify/rate-limit'), { truth: [fastifyBody], others: [problemBody] }),
  fromFirstRequest('rate-limiter-flexible, RateLimiterMemory'),
  blockedForAMinute('rate-limiter-flexible, blockDuration'),
  blockedForAMinute('@nestjs/throttler'),
  {
    peer: rateLimiterFlexibleByPoints,
    rule: ruleOf(120, 60),
    truth: [inMinuteByCost(dearRequest.points)],
    others: [
      inMinuteByCost(1),
      inMinuteByCost(dearRequest.points - 1),
      inMinuteByCost(2 * dearRequest.points),
    ],
  },
  fromFirstRequest('hono-rate-limiter'),
  withFields(honoRateLimiterBy('draft-6'), { truth: 'ietf-triple', others: ['ietf'] }),
  withFields(honoRateLimiterBy('draft-7'), { truth: 'ietf-draft-7', others: ['ietf', 'ietf-triple'] }),
  fromFirstRequest('koa-ratelimit, memory'),
  {
    peer: expressRateLimit,
    rule: ruleOf(10, 1),
    truth: [inSeconds(10, 1, 'fixed'), inSeconds(10, 1, 'unsaid')],
    others: [9, 11].map((limit) => inSeconds(limit, 1, 'fixed')).concat(inSeconds(10, 1, 'at-most')),
  },
  {
    peer: nginxLimitReq({ rule: ruleOf(10, 1), burst: 9, status: 429 }),
    rule: ruleOf(10, 1),
    truth: [inSeconds(10, 1, 'token-bucket'), inSeconds(10, 1, 'unsaid')],
    others: [9, 11].map((limit) => inSeconds(limit, 1, 'token-bucket')).concat(inSeconds(10, 1, 'rolling')),
  },
  {
    peer: nginxLimitReq({ rule: ruleOf(100, 1), burst: 99, status: 429 }),
    rule: ruleOf(100, 1),
    truth: [inSeconds(100, 1, 'token-bucket')],
    others: [90, 110].map((limit) => inSeconds(limit, 1, 'token-bucket')),
  },
  {
    peer: named('limits, moving-window'),
    rule: ruleOf(20, 10),
    truth: (['rolling', 'at-most', 'at-least'] as const).map((promise) => inSeconds(20, 10, promise)),
    others: [19, 21].map((limit) => inSeconds(limit, 10, 'rolling')).concat(inSeconds(20, 10, 'fixed')),
  },
  rollingOfFew('limits, moving-window', 5),
  rollingOfFew('limits, moving-window', 2),
  {
    // Of one place, a window that begins with its request is the rolling one.
    peer: named('limits, moving-window'),
    rule: ruleOf(1, 60),
    truth: [inMinute(1, 'rolling'), inMinute(1, { kind: 'fixed', aligned: 'first-request' })],
    others: [inMinute(2, 'rolling'), inMinute(1, { kind: 'fixed', aligned: 'clock' })],
  },
  {
    peer: named('limits, fixed-window'),
    rule: ruleOf(2, 60),
    truth: [inMinute(2, { kind: 'fixed', aligned: 'first-request' }), inMinute(2, 'fixed')],
    others: (['rolling', 'token-bucket', 'at-most'] as const).map((promise) => inMinute(2, promise)),
  },
  {
    peer: named('throttled-py, fixed window'),
    rule: ruleOf(1, 60),
    truth: [inMinute(1, { kind: 'fixed', aligned: 'clock' })],
    others: [inMinute(1, 'rolling')],
  },
  {
    peer: named('limit_req, burst=5, nodelay'),
    rule: ruleOf(30, 60),
    truth: [inMinute(30, { kind: 'token-bucket', size: 6 })],
    others: [inMinute(30, 'fixed'), inMinute(30, { kind: 'token-bucket', size: 7 })],
  },
  {
    peer: named('limit_req, burst=29, nodelay, status 429'),
    rule: ruleOf(30, 60),
    truth: [inMinute(30, 'token-bucket')],
    others: [inMinute(30, 'rolling'), inMinute(30, 'at-most')],
  },
  {
    peer: named('throttled-py, GCRA'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'token-bucket'), inMinute(120, 'at-least')],
    others: [inMinute(120, 'fixed'), inMinute(100, 'token-bucket')],
  },
  {
    peer: named('limits, sliding-window-counter'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'unsaid')],
    others: [inMinute(120, 'rolling'), inMinute(121, 'unsaid'), inMinute(119, 'at-most')],
  },
  {
    peer: named('github.com/envoyproxy/ratelimit, Redis'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, { kind: 'fixed', aligned: 'clock' }), inMinute(120, 'unsaid')],
    others: [inMinute(120, 'rolling'), inMinute(119, { kind: 'fixed', aligned: 'clock' })],
  },
  {
    peer: named('rolling-rate-limiter, in memory'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'rolling'), inMinute(120, 'at-most')],
    others: [
      inMinute(120, 'fixed'),
      inMinute(121, 'at-least'),
      inMinute(121, 'rolling'),
      inMinute(123, 'rolling'),
    ],
  },
  {
    // So few that the run's own rejected requests keep its window full.
    peer: named('rolling-rate-limiter, in memory'),
    rule: ruleOf(20, 60),
    truth: [inMinute(20, 'rolling')],
    others: [inMinute(19, 'rolling'), inMinute(21, 'rolling')],
  },
  {
    peer: named('rolling-rate-limiter, in memory'),
    rule: ruleOf(4, 10),
    truth: [inSeconds(4, 10, 'rolling')],
    others: [inSeconds(5, 10, 'rolling')],
  },
  {
    peer: named('RateLimitFilter, ExactRateLimiter'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, { kind: 'fixed', aligned: 'clock' }, 'ietf'), inMinute(120, 'unsaid')],
    others: [inMinute(120, 'rolling'), inMinute(121, { kind: 'fixed', aligned: 'clock' }, 'ietf')],
  },
  {
    peer: named('refillIntervally'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'fixed')],
    others: [inMinute(120, 'rolling'), inMinute(120, 'token-bucket')],
  },
  {
    peer: named('RRateLimiter, Redis'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'rolling')],
    others: [inMinute(120, 'fixed'), inMinute(119, 'at-most')],
  },
  {
    peer: named('tower_governor'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'token-bucket')],
    others: [inMinute(120, 'at-most'), inMinute(121, 'token-bucket')],
  },
  fromFirstRequest('actix-extensible-rate-limit, in memory'),
  {
    peer: named('SlidingGuard, six cells'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'unsaid')],
    others: [inMinute(120, 'rolling')],
  },
  {
    peer: named('Rack::Attack, throttle'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, { kind: 'fixed', aligned: 'clock' }), inMinute(120, 'unsaid')],
    others: [
      inMinute(120, { kind: 'fixed', aligned: 'first-request' }),
      inMinute(120, 'rolling'),
      inMinute(121, { kind: 'fixed', aligned: 'clock' }),
    ],
  },
  {
    // Its states in files are forgotten by whole seconds: a window may be over up to a second too soon.
    peer: named('Symfony RateLimiter, fixed_window'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'fixed')],
    others: [inMinute(120, 'rolling'), inMinute(121, 'fixed'), inMinute(120, 'token-bucket')],
  },
  {
    peer: named('Laravel, ThrottleRequests, file cache'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'fixed'), inMinute(120, 'unsaid')],
    others: [
      inMinute(120, 'rolling'),
      inMinute(119, 'fixed'),
      inMinute(120, { kind: 'fixed', aligned: 'clock' }),
    ],
  },
  {
    peer: named('Symfony RateLimiter, sliding_window'),
    rule: ruleOf(120, 60),
    truth: [inMinute(120, 'unsaid')],
    others: [inMinute(120, 'rolling'), inMinute(121, 'unsaid')],
  },
];
