import { describe, expect, it } from 'vitest';
import { deploymentSchema } from '../contract/deployment.ts';
import { documentSchema } from '../contract/document/document.ts';
import type { Refusal } from '../contract/document/refusal.ts';
import type { RetryAfterForm } from '../contract/document/retry-after.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Trace } from '../contract/trace.ts';
import type { WaitUnit } from '../contract/wait-units.ts';
import { judgeTrace } from './judge-trace.ts';
import { admitted, type Given, limited, times, traceOf, traceOfDocument } from './testing/traces.ts';
import { verdictOn } from './testing/verdicts.ts';

/** The trace of a document that refuses so. */
function traceOn(refusal: Refusal, exchanges: readonly Exchange[], more = {}, promised = {}): Trace {
  const document = documentSchema.parse({
    ...{ version: 1, title: 'items', windowSeconds: 60, headers: 'none', errors: 'none', keys: 'none' },
    scopes: { media: { title: 'items', limit: 30 } },
    refusal,
    ...promised,
  });
  const base = traceOf(exchanges, {});
  const deployment = deploymentSchema.parse({
    document,
    baseUrls: ['http://127.0.0.1:1'],
    keyEnv: ['KEY'],
    ...more,
  });
  return { ...base, header: { ...base.header, deployment } };
}

/** The kind of the verdict on each clause; of a violation its reason. */
function judged(...asked: Parameters<typeof traceOn>): Map<string, unknown> {
  return new Map(
    judgeTrace(traceOn(...asked)).clauses.map(({ clause, verdict }) => [
      clause,
      verdict.kind === 'violated' ? verdict.reason : verdict.kind,
    ]),
  );
}

/** A refusal by another status, as a driver writes it that knows the document. */
function refused(status: number, given: Given = {}, sentMs = 100): Exchange {
  return limited(sentMs, sentMs + 5, { status, outcome: 'limited', ...given });
}

const full = times(30, () => admitted(0, 5));

/** The same refusal twice, with an admission in between: no single outage or ban explains both. */
function twice(make: (sentMs: number) => Exchange): readonly Exchange[] {
  return [...full, make(100), admitted(61_000, 61_005), make(61_100)];
}
const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
const inTen = 'Wed, 21 Oct 2026 07:28:10 GMT';

describe('the status of a refusal is what the document says', () => {
  it('a 503, also as a page of HTML, and no other layer’s', () => {
    const found = judged({ status: 503 }, [...full, refused(503, { body: '<html>busy</html>' })]);
    expect(found.get('error.status')).toBe('held');
  });

  it('another status proves something only with the body of a refusal', () => {
    const body = { '/ok': false, '/why': 'busy' };
    const other = (text: string, given: Given = {}): unknown =>
      judged({ status: 403, body }, [
        ...full,
        refused(429, { outcome: 'refused', body: text, ...given }),
      ]).get('error.status');
    expect(other('{"ok":false,"why":"busy"}')).toBe('not-429');
    expect(other('{"ok":false,"why":"broken"}')).toBe('inconclusive');
    expect(other('{"ok":false,"why":"busy"}', { key: null, credential: 'absent' })).toBe('inconclusive');
    const telling = judged({ status: 403, body: { '/ok': false } }, [
      ...full,
      refused(400, { outcome: 'refused', body: '{"ok":false}' }),
    ]);
    expect(telling.get('error.status')).toBe('inconclusive');
  });
});

it.each<readonly [NonNullable<Refusal['retryAfter']>, string | null, string]>([
  ['seconds', '5', 'held'],
  ['seconds', '120', 'held'],
  ['seconds', '121', 'too-long'],
  ['seconds', '1760000100', 'too-long'],
  ['seconds', '0', 'zero'],
  ['seconds', '1.5', 'not-an-integer'],
  ['seconds', '-1', 'not-an-integer'],
  ['seconds', inTen, 'not-an-integer'],
  ['seconds', null, 'absent'],
  ['date', inTen, 'held'],
  ['date', '10', 'not-a-date'],
  ['date', '2026-10-21T07:28:10Z', 'not-a-date'],
  ['date', 'Wed, 21 Oct 2026 07:27:55 GMT', 'held'],
  ['date', 'Wed, 21 Oct 2026 07:27:54 GMT', 'past'],
  ['date', 'Wed, 21 Oct 2026 07:30:05 GMT', 'held'],
  ['date', 'Wed, 21 Oct 2026 07:30:06 GMT', 'too-long'],
  ['either', '10', 'held'],
  ['either', inTen, 'held'],
  ['either', 'soon', 'not-an-integer'],
  ['decimal', '2.0', 'held'],
  ['decimal', '0.25', 'held'],
  ['decimal', '0.0', 'zero'],
  ['decimal', '120.1', 'too-long'],
  ['decimal', inTen, 'not-a-number'],
  ['ms', '250', 'held'],
  ['ms', '0', 'zero'],
  ['ms', '120000', 'held'],
  ['ms', '120001', 'too-long'],
  ['ms', '250ms', 'not-a-number'],
  ['duration', '250ms', 'held'],
  ['duration', '2m', 'held'],
  ['duration', '0s', 'zero'],
  ['duration', '30', 'not-a-duration'],
  ['duration', null, 'absent'],
])('Retry-After as %s: %s is %s', (retryAfter, text, verdict) => {
  const found = judged(
    { status: 403, retryAfter },
    twice((ms) => refused(403, { retryAfter: text, date }, ms)),
  );
  expect(found.get('refusal.retry-after')).toBe(verdict);
});

it('a header of another name is quoted by it, and its least wait is said as it is written', () => {
  const evidenceOf = (as: RetryAfterForm, retryAfter: string | null) => {
    const trace = traceOn(
      { status: 429, retryAfter: { name: 'X-Wait', as } },
      twice((ms) => refused(429, { retryAfter, date }, ms)),
    );
    const verdict = verdictOn('refusal.retry-after', trace);
    return verdict?.kind === 'violated' ? [verdict.evidence.expected, verdict.evidence.observed] : [];
  };
  expect(evidenceOf('ms', '0')).toEqual(['X-Wait above 0, up to 120 s', 'X-Wait "0" (2 of 2 answers)']);
  expect(evidenceOf('seconds', null)).toEqual(['X-Wait from 1 to 120 s', 'no X-Wait (2 of 2 answers)']);
});

it.each<readonly [string | null, string]>([
  ['soon', 'Retry-After "soon" (2 of 2 answers)'],
  [null, 'no Retry-After (2 of 2 answers)'],
])('a Retry-After of %s is quoted', (retryAfter, observed) => {
  const trace = traceOn(
    { status: 403, retryAfter: 'seconds' },
    twice((ms) => refused(403, { retryAfter, date }, ms)),
  );
  expect(verdictOn('refusal.retry-after', trace)).toMatchObject({
    evidence: { expected: 'Retry-After from 1 to 120 s', observed },
  });
});

it.each<readonly [string, Refusal['body'], string, string]>([
  ['the documented body', { '/why': 'busy', '/ok': false }, '{"why":"busy","ok":false}', 'zero'],
  ['another body', { '/why': 'busy', '/ok': false }, '{"why":"closed","ok":false}', 'inconclusive'],
  ['a body that any error may have', { '/ok': false }, '{"ok":false}', 'inconclusive'],
])('one wrong Retry-After is blamed on the API where it comes with %s', (_what, body, text, verdict) => {
  const once = [...full, refused(429, { retryAfter: '0', body: text })];
  expect(judged({ status: 429, retryAfter: 'seconds', body }, once).get('refusal.retry-after')).toBe(verdict);
});

it('a date beside no Date proves nothing', () => {
  const long = refused(403, { retryAfter: 'Wed, 21 Oct 2099 07:28:00 GMT', date: null });
  expect(judged({ status: 403, retryAfter: 'date' }, [...full, long]).get('refusal.retry-after')).toBe(
    'held',
  );
});

describe('the body', () => {
  const body = { '/error/code': 'slow', '/list/0': 1 };
  it.each<readonly [string, string]>([
    ['{"error":{"code":"slow","more":2},"list":[1,2]}', 'held'],
    ['{"error":{"code":"fast"},"list":[1]}', 'wrong-value'],
    ['{"error":{"code":"slow"},"list":[]}', 'absent'],
    ['<html>', 'not-json'],
  ])('%s is %s', (text, verdict) => {
    const found = judged(
      { status: 503, body },
      twice((ms) => refused(503, { body: text }, ms)),
    );
    expect(found.get('refusal.body')).toBe(verdict);
  });

  it.each<readonly [WaitUnit, string, string, string]>([
    ['seconds', '{"ok":false,"wait":1.5}', 'held', ''],
    ['seconds', '{"ok":false,"wait":120}', 'held', ''],
    ['seconds', '{"ok":false,"wait":120.5}', 'too-long', '/wait above 0, up to 120'],
    ['seconds', '{"ok":false,"wait":0}', 'zero', '/wait above 0, up to 120'],
    ['seconds', '{"ok":false,"wait":"5"}', 'not-a-number', '/wait above 0, up to 120'],
    ['ms', '{"ok":false,"wait":386}', 'held', ''],
    ['ms', '{"ok":false,"wait":120000}', 'held', ''],
    ['ms', '{"ok":false,"wait":120001}', 'too-long', '/wait above 0, up to 120000'],
    ['ms', '{"ok":false,"wait":-1}', 'zero', '/wait above 0, up to 120000'],
    ['ms', '{"ok":false}', 'absent', '/wait above 0, up to 120000'],
  ])('a wait in %s in %s is %s', (retryAfterUnit, text, reason, expected) => {
    const refusal = {
      ...{ status: 503, body: { '/ok': false }, retryAfterPointer: '/wait', retryAfterUnit },
    };
    const exchanges = twice((ms) => refused(503, { body: text }, ms));
    expect(judged(refusal, exchanges).get('refusal.wait')).toBe(reason);
    if (expected === '') return;
    expect(verdictOn('refusal.wait', traceOn(refusal, exchanges))).toMatchObject({ evidence: { expected } });
  });

  it.each<readonly [string, string]>([
    ['{"ok":false,"wait":5}', 'held'],
    ['{"ok":false,"wait":0}', 'zero'],
    ['{"ok":false,"wait":"5"}', 'not-an-integer'],
    ['{"ok":false,"wait":1.5}', 'not-an-integer'],
    ['{"ok":false,"wait":121}', 'too-long'],
    ['{"ok":false}', 'absent'],
    ['{"ok":true}', 'inconclusive'],
  ])('a wait in %s is %s', (text, verdict) => {
    const refusal = { status: 503, body: { '/ok': false }, retryAfterPointer: '/wait' };
    const found = judged(
      refusal,
      twice((ms) => refused(503, { body: text }, ms)),
    );
    expect(found.get('refusal.wait')).toBe(verdict);
  });
});

it('a body is quoted beside what it should be, and so is a wait in it', () => {
  const refusal = { status: 503, body: { '/ok': false, '/why': 'busy' }, retryAfterPointer: '/wait' };
  const found = (clause: string, body: string) =>
    verdictOn(
      clause,
      traceOn(
        refusal,
        twice((ms) => refused(503, { body }, ms)),
      ),
    );
  expect(found('refusal.body', '{"ok":true}')).toMatchObject({
    evidence: { expected: 'JSON with /ok false, /why "busy"', observed: '/ok true (2 of 2 answers)' },
  });
  expect(found('refusal.wait', '{"ok":false,"why":"busy","wait":"5"}')).toMatchObject({
    evidence: { expected: '/wait from 1 to 120', observed: '/wait "5" (2 of 2 answers)' },
  });
});

it('a wait is left to the clause that its body breaks', () => {
  const refusal = { status: 503, bodySchema: { type: 'object' }, retryAfterPointer: '/wait' };
  const trace = traceOn(
    refusal,
    twice((ms) => refused(503, { body: '<html>' }, ms)),
  );
  expect(verdictOn('refusal.wait', trace)).toMatchObject({
    kind: 'inconclusive',
    reason: 'not judged: refusal.body-schema is violated',
  });
});

it('nothing is missed in a body that is not whole', () => {
  const without = refused(503, { body: '{"ok":false}' }, 100);
  const cut = refused(503, { body: '{"ok":false,', bodyState: 'partial' }, 61_100);
  const sent = [...full, without, admitted(61_000, 61_005), cut];
  const refusal = { status: 503, body: { '/ok': false }, retryAfterPointer: '/wait' };
  expect(judged(refusal, sent).get('refusal.wait')).toBe('inconclusive');
  expect(judged({ status: 503, body: { '/ok': true } }, sent).get('refusal.body')).toBe('inconclusive');
  const bodySchema = { type: 'object', required: ['wait'] };
  expect(judged({ status: 503, bodySchema }, sent).get('refusal.body-schema')).toBe('inconclusive');
});

it('a body that is not whole is not held to its values', () => {
  const cut = (ms: number) => refused(503, { body: '{"ok":', bodyState: 'partial' }, ms);
  const trace = traceOn({ status: 503, body: { '/ok': false } }, twice(cut));
  expect(verdictOn('refusal.body', trace)).toMatchObject({
    kind: 'inconclusive',
    reason: '2 bodies ended early: there is no other to judge',
  });
});

describe('the body and a schema', () => {
  const bodySchema = {
    type: 'object',
    required: ['title', 'status'],
    properties: { title: { type: 'string' }, status: { const: 503 }, wait: { type: 'integer' } },
  };
  const seen = (text: string, more: Readonly<Record<string, unknown>> = {}, given: Given = {}) =>
    judged(
      { status: 503, bodySchema, ...more },
      twice((ms) => refused(503, { body: text, ...given }, ms)),
    );
  it.each<readonly [string, string]>([
    ['{"title":"busy","status":503,"more":{}}', 'held'],
    ['{"title":"busy","status":429}', 'wrong-value'],
    ['{"title":5,"status":503}', 'wrong-type'],
    ['{"status":503}', 'absent'],
    ['[]', 'wrong-type'],
    ['<html>', 'not-json'],
    ['', 'not-json'],
  ])('%s is %s', (text, verdict) => expect(seen(text).get('refusal.body-schema')).toBe(verdict));

  it('what is not whole, or nests too deep, is not judged', () => {
    expect(seen('{"title":5', {}, { bodyState: 'partial' }).get('refusal.body-schema')).toBe('inconclusive');
    expect(seen('{"title":5', {}, { method: 'HEAD' }).get('refusal.body-schema')).toBe('inconclusive');
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const tree = { type: 'object', additionalProperties: { anyOf: [{ $ref: '#' }, { const: 2 }] } };
    expect(seen(deep, { bodySchema: tree }).get('refusal.body-schema')).toBe('inconclusive');
  });

  it('says why nothing is judged: no refusal, all of them no JSON, all too deep', () => {
    const verdict = (exchanges: readonly Exchange[], body?: Refusal['body']) =>
      verdictOn(
        'refusal.body-schema',
        traceOn({ status: 503, bodySchema, ...(body && { body }) }, exchanges),
      );
    const ofBody = { kind: 'inconclusive', reason: 'not judged: refusal.body is violated' };
    const pages = twice((ms) => refused(503, { body: '<html>' }, ms));
    expect(verdict(pages, { '/title': 'busy' })).toMatchObject(ofBody);
    expect(verdict(full, { '/title': 'busy' })).not.toMatchObject(ofBody);
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const tooDeep = { reason: expect.stringMatching(/^every body nests deeper than \d+ levels/) };
    expect(verdict(twice((ms) => refused(503, { body: deep }, ms)))).toMatchObject(tooDeep);
    expect(verdict(full)).not.toMatchObject(tooDeep);
  });

  it('beside values, what is no JSON is told once', () => {
    const body = { '/title': 'busy' };
    const page = seen('<html>', { body });
    expect([page.get('refusal.body'), page.get('refusal.body-schema')]).toEqual(['not-json', 'inconclusive']);
    const other = seen('{"title":"idle"}', { body });
    expect([other.get('refusal.body'), other.get('refusal.body-schema')]).toEqual(['wrong-value', 'absent']);
  });

  it('a wait is not judged where the body does not fit', () => {
    const retryAfterPointer = '/wait';
    const fitting = seen('{"title":"busy","status":503,"wait":0}', { retryAfterPointer });
    expect([fitting.get('refusal.body-schema'), fitting.get('refusal.wait')]).toEqual(['held', 'zero']);
    const other = seen('{"title":"busy","status":503,"wait":"5"}', { retryAfterPointer });
    expect([other.get('refusal.body-schema'), other.get('refusal.wait')]).toEqual([
      'wrong-type',
      'inconclusive',
    ]);
  });

  it('another layer may have answered, where nothing was admitted in between', () => {
    const once = [...full, refused(503, { body: '{}' }), admitted(61_000, 61_005)];
    expect(judged({ status: 503, bodySchema }, once).get('refusal.body-schema')).toBe('inconclusive');
  });
});

describe('whether the wait suffices', () => {
  const header = 'refusal.retry-after-suffices';
  const oneSecond = (ms: number): Exchange => refused(403, { retryAfter: '1', date }, ms);

  it('a second refusal after it breaks the promise, one before does not', () => {
    const seconds = { status: 403, retryAfter: 'seconds' } as const;
    expect(judged(seconds, [...full, oneSecond(100), oneSecond(1_200)]).get(header)).toBe('second-429');
    expect(judged(seconds, [...full, oneSecond(100), oneSecond(1_000)]).get(header)).toBe('inconclusive');
    const alone = { exclusiveKeys: false };
    expect(judged(seconds, [...full, oneSecond(100), oneSecond(1_200)], alone).get(header)).toBe(
      'inconclusive',
    );
  });

  describe('retries that take no whole window explain no second refusal of windows that begin anew', () => {
    /** Some of a burst are refused at once, and six more once their wait is over. */
    const kindOf = (scope: object, { first = 6, ...more } = {}): unknown => {
      const sent = [
        ...full,
        ...times(first, () => refused(403, { retryAfter: '1' }, 100)),
        ...times(6, (at) => refused(403, { retryAfter: '59' }, 1_300 + at)),
      ];
      const document = { status: 403, retryAfter: 'seconds', ...more } as const;
      const scopes = { media: { title: 'media', limit: 30, ...scope } };
      return judged(document, sent, {}, { scopes, countedBy: 'address' }).get(header);
    };

    it('as many as the limit do', () => {
      expect(kindOf({ promise: 'fixed' })).toBe('second-429');
      expect(kindOf({ promise: 'fixed' }, { first: 24 })).toBe('second-429');
      expect(kindOf({ promise: 'fixed' }, { first: 25 })).toBe('inconclusive');
    });

    it('of a window that rolls, each of them may take the place that came back', () => {
      expect(kindOf({ promise: 'rolling' })).toBe('inconclusive');
      expect(kindOf({ promise: 'at-most' })).toBe('inconclusive');
    });

    it('where some cost more, or begin the wait anew, nothing is said', () => {
      expect(kindOf({ promise: 'fixed', cost: 5 })).toBe('inconclusive');
      expect(kindOf({ promise: 'fixed' }, { waitSeconds: 60 } as object)).toBe('inconclusive');
    });
  });

  describe('of what the document says', () => {
    const stated = 'refusal.stated-wait-suffices';
    const again = (ms: number): Exchange => refused(403, {}, ms);
    const seen = (waitSeconds: number, ...sent: readonly Exchange[]): unknown =>
      judged({ status: 403, waitSeconds }, [...full, again(100), ...sent]).get(stated);

    it('a second refusal after it breaks the promise, one within a second of it does not', () => {
      expect(seen(2, again(3_200))).toBe('second-429');
      expect(seen(2, again(3_000))).toBe('inconclusive');
      expect(seen(2.5, again(3_200))).toBe('inconclusive');
      // What was asked meanwhile may have begun the wait anew.
      expect(seen(2, again(1_500), again(3_200))).toBe('inconclusive');
    });

    it('of several limits it is meant of all, unless the window of one is longer', () => {
      const ofSeveral = (windowSeconds: number): unknown => {
        const also = [{ limit: 100, windowSeconds }];
        const several = { windowSeconds: 2, scopes: { media: { title: 'items', limit: 30, also } } };
        const sent = [...full, again(100), again(3_200)];
        return judged({ status: 403, waitSeconds: 2 }, sent, {}, several).get(stated);
      };
      expect(ofSeveral(1)).toBe('second-429');
      expect(ofSeveral(2)).toBe('second-429');
      expect(ofSeveral(3)).toBe('inconclusive');
    });

    it('it is held where a request is admitted right after it, counted from the first of some refusals', () => {
      const verdict = (...sent: readonly Exchange[]) =>
        verdictOn(stated, traceOn({ status: 403, waitSeconds: 60 }, [...full, ...sent]));
      const summary = 'media admitted 60 s after a 403';
      expect(verdict(again(100), admitted(60_200, 60_205))).toEqual({ kind: 'held', summary });
      expect(verdict(again(100), admitted(62_000, 62_005))?.kind).toBe('held');
      expect(verdict(again(100), admitted(62_300, 62_305))?.kind).toBe('inconclusive');
      const later = admitted(65_200, 65_205);
      const last = admitted(62_500, 62_505);
      expect(verdict(again(100), again(1_100), last)?.kind).toBe('held');
      expect(verdict(again(100), again(1_101), last)?.kind).toBe('inconclusive');
      expect(verdict(again(100), again(5_100), later)?.kind).toBe('inconclusive');
      expect(verdict(again(5_100), later)?.kind).toBe('held');
      expect(
        verdict(again(100), admitted(60_000, 60_001), again(60_100), admitted(120_300, 120_305))?.kind,
      ).toBe('held');
    });
  });

  it('a wait that a refusal announces is kept after any of several', () => {
    const wait = (ms: number, retryAfter: string): Exchange => refused(403, { retryAfter }, ms);
    const sent = [...full, wait(100, '90'), wait(5_100, '56'), admitted(61_200, 61_205)];
    expect(judged({ status: 403, retryAfter: 'seconds' }, sent).get(header)).toBe('held');
  });

  it('of several limits, one may say when its own place is back, and another one refuse then', () => {
    const seconds = { status: 403, retryAfter: 'seconds' } as const;
    const also = [{ limit: 100, windowSeconds: 1 }];
    const several = { scopes: { media: { title: 'items', limit: 30, also } } };
    const sent = [...full, oneSecond(100), oneSecond(1_200)];
    expect(judged(seconds, sent, {}, several).get(header)).toBe('inconclusive');
    // That the document states a longer wait for all of them changes nothing.
    expect(judged({ ...seconds, waitSeconds: 60 }, sent, {}, several).get(header)).toBe('inconclusive');
  });

  it('of a date, only where Date may be as far off as stated', () => {
    const dated = (ms: number): Exchange => refused(403, { retryAfter: inTen, date }, ms);
    const promise = { status: 403, retryAfter: 'date' } as const;
    expect(judged(promise, [...full, dated(100), dated(11_000)]).get(header)).toBe('inconclusive');
    expect(judged(promise, [...full, dated(100), dated(15_200)]).get(header)).toBe('second-429');
  });
});

describe('what another layer may have answered is blamed on nobody', () => {
  const refusal = { status: 403, body: { '/code': 'slow' }, retryAfter: 'seconds' } as const;
  const page = (ms: number): Exchange => refused(403, { body: '<html>' }, ms);

  it('refusals with nothing admitted in between, of one scope', () => {
    const found = judged(refusal, [...full, page(100), page(200), admitted(61_000, 61_005)]);
    expect(found.get('refusal.body')).toBe('inconclusive');
    expect(found.get('refusal.retry-after')).toBe('inconclusive');
  });

  it('nor where the admission may have come before the first or after the last', () => {
    const beside = [...full, page(100), admitted(105, 200), admitted(150, 300), page(300)];
    expect(judged(refusal, beside).get('refusal.body')).toBe('inconclusive');
    expect(judged(refusal, [...beside, admitted(106, 299)]).get('refusal.body')).toBe('not-json');
  });

  it('nor where one of the two was as promised', () => {
    const good = refused(403, { body: '{"code":"slow"}' }, 61_100);
    const found = judged(refusal, [...full, page(100), admitted(61_000, 61_005), good]);
    expect(found.get('refusal.body')).toBe('inconclusive');
  });

  it.each([
    ['no headers', 'none'],
    ['headers on what is admitted', { remaining: 'X-Left', on: 'admitted' }],
  ])('where %s are promised, by the body that the document gives its errors', (_, headers) => {
    const promised = { errors: 'success-false', headers };
    const found = (exchanges: readonly Exchange[]) => judged({ status: 503 }, exchanges, {}, promised);
    const [html, coded] = ['<html>', '{"success":false,"error":{"code":"busy","message":"No."}}'];
    const outage = (body: string) => (ms: number) => refused(503, { body, contentType: 'text/html' }, ms);
    const once = found([...full, outage(html)(100), admitted(61_000, 61_005)]);
    const both = found(twice(outage(html)));
    const codes = found(twice(outage(coded)));
    expect([once.get('error.shape'), both.get('error.shape')]).toEqual(['inconclusive', 'not-json']);
    const type = 'error.content-type';
    expect([once.get(type), both.get(type)]).toEqual(['inconclusive', 'not-json']);
    expect([codes.get('error.code'), codes.get('error.retry-after')]).toEqual(['wrong-code', 'absent']);
    const mixed = found([...full, outage(html)(100), admitted(61_000, 61_005), outage(coded)(61_100)]);
    expect([mixed.get('error.code'), mixed.get('error.retry-after')]).toEqual([
      'inconclusive',
      'inconclusive',
    ]);
  });

  it('where headers are promised on refusals, each refusal with them is the API’s', () => {
    const promised = { headers: { remaining: 'X-Left', on: 'limited' } };
    const own = refused(403, { body: '<html>', remaining: '0' }, 100);
    expect(judged(refusal, [...full, own], {}, promised).get('refusal.body')).toBe('not-json');
  });

  it('of several keys, what one of them shows is enough', () => {
    const other = admitted(10, 15, { key: 'B' });
    expect(judged(refusal, [...twice(page), other]).get('refusal.body')).toBe('not-json');
  });

  it('with headers promised, an answer without them is another layer’s, and one with them is not', () => {
    const headers = 'x-ratelimit';
    const bare = { limit: null, remaining: null, reset: null };
    const own = judged(refusal, [...full, page(100)], {}, { headers });
    expect(own.get('refusal.body')).toBe('not-json');
    const other = refused(403, { body: '<html>', ...bare });
    expect(judged(refusal, [...full, other], {}, { headers }).get('refusal.body')).toBe('inconclusive');
  });
});

it('a 503 after the wait may be an outage, where one explains it', () => {
  const refusal = { status: 503, retryAfter: 'seconds' } as const;
  const wait = (ms: number): Exchange => refused(503, { retryAfter: '1', date }, ms);
  const once = [...full, wait(100), wait(1_200)];
  const found = (exchanges: readonly Exchange[]) =>
    judged(refusal, exchanges).get('refusal.retry-after-suffices');
  expect(found(once)).toBe('inconclusive');
  const next = times(30, () => admitted(61_000, 61_005));
  expect(found([...once, ...next, wait(61_100)])).toBe('inconclusive');
  expect(found([...once, ...next, wait(61_100), wait(62_200)])).toBe('second-429');
});

it('an announced wait is held against the only limit of keys that share it, and against none of several', () => {
  const also = [{ limit: 9, windowSeconds: 10, promise: 'at-most' }];
  const kindOf = (scope: object) => {
    const refusal = { status: 429, retryAfter: 'seconds' };
    const media = { title: 'media', limit: 4, promise: 'at-most', ...scope };
    const document = { countedBy: 'account', errors: 'none', refusal, scopes: { media } };
    const sent = [0, 30_000].map((ms) => limited(ms, ms + 5, { retryAfter: '10', limit: '4' }));
    return verdictOn('refusal.retry-after-suffices', traceOfDocument([admitted(-50, -45), ...sent], document))
      ?.kind;
  };
  expect([{}, { also }].map(kindOf)).toEqual(['violated', 'inconclusive']);
});

it('a wait that was enough is told to the ms', () => {
  const told = refused(403, { retryAfter: '59.81299999' });
  const trace = traceOn({ status: 403, retryAfter: 'decimal' }, [...full, told, admitted(60_300, 60_305)]);
  expect(verdictOn('refusal.retry-after-suffices', trace)).toMatchObject({
    summary: expect.stringContaining('after the 59.813 s that a 403 asked for'),
  });
});
