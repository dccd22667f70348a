import { describe, expect, it, test } from 'vitest';
import { interrupted } from '../../../contract/unreachable.ts';
import { diagnosisCase } from '../../../contract/webhooks/drive/diagnosis.ts';
import { driveCases } from '../../../contract/webhooks/drive/registry.ts';
import {
  type DeliveryLine,
  type DriveTrace,
  type EffectLine,
  goneMeanwhile,
  interruptedMeanwhile,
} from '../../../contract/webhooks/drive/trace.ts';
import { judgeDrive } from './judge-drive.ts';
import { altered, delivered, goodDrive } from './testing/drives.ts';

function verdictOn(id: string, trace: DriveTrace) {
  const found = judgeDrive(trace).cases.find((one) => one.case === id);
  if (found === undefined) throw new Error(`no verdict on ${id}`);
  return found.verdict;
}

const unanswered = (failure: string) => ({ status: null, receivedMs: null, answer: null, failure });

test('a receiver that does what every case expects passes all', () => {
  const verdicts = judgeDrive(goodDrive()).cases;
  expect(verdicts.filter(({ verdict }) => verdict.kind !== 'held')).toEqual([]);
  expect(verdicts.map((one) => one.case)).toEqual(driveCases.map(({ id }) => id));
});

type Row = readonly [
  what: string,
  id: string,
  change: Partial<DeliveryLine>,
  violated: { readonly reason: string; readonly observed: string },
];

const said = (reason: string, observed: string) => ({ reason, observed });

const violated: readonly Row[] = [
  ['a refused event', 'valid.sent', { status: 400 }, said('not-accepted', 'it was answered 400')],
  ['an event that crashes it', 'valid.sent', { status: 500 }, said('crashed', 'it was answered 500')],
  ['a redirect', 'valid.sent', { status: 302 }, said('not-accepted', 'it was answered 302')],
  [
    'an answer too late',
    'valid.sent',
    { receivedMs: 6_001 },
    said('too-late', 'it was answered 200 after 5.0 s'),
  ],
  ['no answer', 'valid.sent', unanswered('none within 5 s'), said('no-answer', 'none within 5 s')],
  [
    'a connection that breaks each time',
    'valid.sent',
    { ...unanswered('connection reset (ECONNRESET)'), resets: 3 },
    said('no-answer', 'connection reset (ECONNRESET), and so each of 3 times before'),
  ],
];

test.each(violated)('%s is a failure', (_what, id, change, expected) => {
  const verdict = verdictOn(
    id,
    altered(goodDrive(), id, () => change),
  );
  expect(verdict).toMatchObject({ kind: 'violated', ...expected });
});

describe('a receiver that stopped listening while several cases were under way', () => {
  const gone = (trace: DriveTrace): DriveTrace => ({
    ...trace,
    end: { kind: 'end', endedAt: trace.header.startedAt, complete: false, reason: goneMeanwhile },
  });
  const reset = unanswered('connection reset (ECONNRESET)');

  it.each(['valid.sent', 'forged.sha1'])('is blamed for no missing answer in %s', (id) => {
    const trace = gone(altered(goodDrive(), id, () => reset));
    expect(verdictOn(id, trace)).toMatchObject({ kind: 'inconclusive', reason: goneMeanwhile });
  });

  it('is not said to refuse forgeries wrongly because one has no answer', () => {
    const trace = gone(altered(goodDrive(), 'forged.sha1', () => reset));
    expect(verdictOn('forged.answers', trace)).toMatchObject({ kind: 'inconclusive', reason: goneMeanwhile });
  });

  it('is blamed for a forgery that it refused wrongly, beside one without an answer', () => {
    const crashing = altered(goodDrive(), 'forged.no-prefix', () => ({ status: 500 }));
    const trace = gone(altered(crashing, 'forged.sha1', () => reset));
    expect(verdictOn('forged.answers', trace)).toMatchObject({ kind: 'violated', reason: 'crashed' });
  });

  it('is blamed for what it answered', () => {
    const trace = gone(altered(goodDrive(), 'valid.sent', () => ({ status: 500 })));
    expect(verdictOn('valid.sent', trace).kind).toBe('violated');
    expect(verdictOn('valid.read', trace).kind).toBe('held');
  });
});

describe('a drive that was interrupted', () => {
  const ended = (reason: string, trace: DriveTrace): DriveTrace => ({
    ...trace,
    end: { kind: 'end', endedAt: trace.header.startedAt, complete: false, reason },
  });

  it.each(['valid.sent', 'forged.answers'])(
    'blames nobody in %s for an answer that it did not await',
    (id) => {
      const of = id === 'valid.sent' ? id : 'forged.sha1';
      const trace = altered(goodDrive(), of, () => unanswered(interrupted));
      expect(verdictOn(id, ended(interrupted, trace))).toMatchObject({
        kind: 'inconclusive',
        reason: interrupted,
      });
      expect(verdictOn(id, { ...trace, end: null }).kind).toBe('inconclusive');
    },
  );

  it.each([
    [interrupted, 'violated'],
    [interruptedMeanwhile, 'inconclusive'],
  ] as const)('and of which is said that %s finds a broken connection %s', (reason, kind) => {
    const reset = unanswered('connection reset (ECONNRESET)');
    const trace = altered(goodDrive(), 'valid.sent', () => reset);
    expect(verdictOn('valid.sent', ended(reason, trace)).kind).toBe(kind);
  });
});

describe('what looks like a failure and is none', () => {
  it('an answer after a connection that broke on the way', () => {
    const trace = altered(goodDrive(), 'valid.sent', () => ({ resets: 1 }));
    expect(verdictOn('valid.sent', trace)).toEqual({
      kind: 'held',
      summary: '200, within 10 ms; 1 sent again because the connection broke',
    });
  });

  it('an answer at the very end of the budget', () => {
    const trace = altered(goodDrive(), 'valid.sent', () => ({ receivedMs: 6_000 }));
    expect(verdictOn('valid.sent', trace).kind).toBe('held');
  });

  it('an answer that this machine was too busy to see in time', () => {
    const trace = altered(goodDrive(), 'valid.sent', () => ({ receivedMs: 9_000, stalledMs: 3_000 }));
    expect(verdictOn('valid.sent', trace).kind).toBe('held');
  });

  it('an unknown event that is refused, and half a request that nobody answers', () => {
    const refused = altered(goodDrive(), 'tolerated.unknown-event', (_line, at) => ({
      status: at === 0 ? 400 : 200,
    }));
    expect(verdictOn('tolerated.unknown-event', refused).kind).toBe('held');
    const silent = altered(goodDrive(), 'connection.cut-off', (_line, at) =>
      at === 0 ? unanswered('x') : {},
    );
    expect(verdictOn('connection.cut-off', silent).kind).toBe('held');
  });
});

describe('an event that was not announced', () => {
  const answered = (status: number | null, of = ['unknown-event', 'other-type']): DriveTrace => {
    const change = status === null ? unanswered('x') : { status };
    return of.reduce(
      (trace, name) => altered(trace, `tolerated.${name}`, (line) => (line.name === name ? change : {})),
      goodDrive(),
    );
  };
  const verdict = (trace: DriveTrace) => verdictOn('tolerated.answers', trace);

  it('should be accepted: a refusal decides nothing, but it may lose the event', () => {
    expect(verdict(answered(422, ['other-type']))).toMatchObject({
      kind: 'violated',
      reason: 'not-accepted',
      observed: 'other-type: it was answered 422',
      likely: expect.stringContaining('answer 2xx and leave them'),
      deliveriesTotal: 1,
    });
    expect(verdict(answered(499))).toMatchObject({
      observed: 'unknown-event: it was answered 499; 2 of 2 deliveries failed',
    });
    expect(verdictOn('tolerated.other-type', answered(422)).kind).toBe('held');
  });

  it('is accepted by any 2xx, however late', () => {
    expect(verdict(goodDrive())).toEqual({ kind: 'held', summary: '2 deliveries: 204, within 10 ms' });
    const late = altered(goodDrive(), 'tolerated.other-type', () => ({ receivedMs: 9_000 }));
    expect(verdict(late).kind).toBe('held');
  });

  it.each([500, null])('is blamed for an error by its own case alone: %s', (status) => {
    expect(verdict(answered(status, ['other-type']))).toMatchObject({
      kind: 'held',
      summary: '204, within 10 ms',
    });
    expect(verdict(answered(status))).toEqual({
      kind: 'not-applicable',
      reason: 'no such event was answered',
    });
  });

  it('is none of the plain ones after it', () => {
    const plain = altered(goodDrive(), 'tolerated.other-type', ({ name }) =>
      name === 'still-there' ? { status: 400 } : {},
    );
    const simulated = altered(plain, 'tolerated.simulated', () => ({ status: 400 }));
    expect(verdict(simulated).kind).toBe('held');
  });
});

describe('what proves neither', () => {
  it('a 429 to a forgery: it was not the signature that was refused', () => {
    const trace = altered(goodDrive(), 'forged.sha1', () => ({ status: 429 }));
    expect(verdictOn('forged.sha1', trace)).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(/^\S+: it was answered 429, which shows nothing about the signature$/),
      because: [],
    });
  });

  it('a receiver that cannot be reached', () => {
    const trace = altered(goodDrive(), 'valid.received', () =>
      unanswered('connection refused (ECONNREFUSED)'),
    );
    expect(verdictOn('valid.received', trace)).toMatchObject({ kind: 'inconclusive', because: [] });
  });

  it('a run that ended before', () => {
    for (const id of ['valid.sent', 'forged.truncated', 'burst.answers']) {
      const trace = altered(goodDrive(), id, (_line, at) => (at === 0 ? null : {}));
      expect(verdictOn(id, trace)).toMatchObject({ kind: 'inconclusive', because: [] });
    }
  });

  it('cases that rest on one that failed, and on those that are open for it', () => {
    const trace = altered(goodDrive(), 'valid.received', () => ({ status: 401 }));
    expect(verdictOn('valid.sent', trace)).toMatchObject({ because: ['valid.received'] });
    expect(verdictOn('burst.answers', trace)).toMatchObject({
      because: ['valid.sent', 'valid.delivered', 'valid.read'],
    });
    const others = judgeDrive(trace).cases.filter(({ verdict }) => verdict.kind !== 'inconclusive');
    expect(others.map((one) => one.case)).toEqual(['valid.received']);
  });

  it('slow answers to a burst that this machine could not keep up with', () => {
    const slow = (lateMs: number) =>
      altered(goodDrive(), 'burst.answers', ({ dueMs }) => ({
        sentMs: dueMs + lateMs,
        receivedMs: dueMs + lateMs + 5_001,
      }));
    expect(verdictOn('burst.answers', slow(2_500)).kind).toBe('violated');
    expect(verdictOn('burst.answers', slow(2_501)).kind).toBe('inconclusive');
  });
});

describe('what was not asked for', () => {
  it('is not assessed, and says what it takes', () => {
    const trace = goodDrive({
      effects: null,
      secretEnv: ['NEW'],
      cases: ['valid.received', 'effect.forged', 'secrets.rotation'],
    });
    expect(verdictOn('effect.forged', trace)).toMatchObject({
      kind: 'not-applicable',
      reason: expect.stringContaining('--effects'),
    });
    expect(verdictOn('secrets.rotation', trace)).toMatchObject({
      kind: 'not-applicable',
      reason: expect.stringContaining('--secret-env'),
    });
    expect(verdictOn('valid.sent', trace)).toMatchObject({
      kind: 'not-applicable',
      reason: 'it was not chosen',
    });
    const withSecrets = goodDrive({ effects: null });
    expect(verdictOn('effect.forged', withSecrets)).toMatchObject({
      reason: expect.stringContaining('--effects'),
    });
    expect(verdictOn('secrets.rotation', withSecrets).kind).toBe('held');
  });

  it('is no reason to leave open what rests on it', () => {
    expect(verdictOn('valid.sent', goodDrive({ cases: ['valid.sent'] })).kind).toBe('held');
  });

  it('has no burst where none was sent', () => {
    const trace = altered(goodDrive(), 'burst.answers', () => null);
    expect(judgeDrive(trace).burst).toBeNull();
    expect(verdictOn('burst.answers', trace)).toMatchObject({
      reason: 'the run ended after 0 of 30 deliveries',
    });
  });
});

describe('what is said of several deliveries', () => {
  it('names the first that failed, and how many did', () => {
    const unseen = { ...goodDrive({ effects: null }), effects: [] };
    const trace = altered(unseen, 'forged.truncated', (_line, at) => (at === 1 ? { status: 200 } : {}));
    expect(verdictOn('forged.truncated', trace)).toMatchObject({
      observed: 'first-half: it was answered 200',
      deliveriesTotal: 1,
    });
    const all = altered(unseen, 'forged.truncated', () => ({ status: 200 }));
    expect(verdictOn('forged.truncated', all)).toMatchObject({
      observed: 'prefix-alone: it was answered 200; 3 of 3 deliveries failed',
      deliveriesTotal: 3,
    });
  });

  it('has half a request that was accepted as a failure, whatever forgeries show', () => {
    const trace = altered(goodDrive({ cases: ['connection.cut-off'] }), 'connection.cut-off', () => ({
      status: 200,
    }));
    const alone = trace.deliveries.filter((line) => line.case === 'connection.cut-off');
    expect(verdictOn('connection.cut-off', { ...trace, deliveries: alone, effects: [] })).toMatchObject({
      kind: 'violated',
      reason: 'accepted',
      observed: 'half: it was answered 200',
    });
  });

  it('names how some forgeries were refused, and says nothing of refusals elsewhere', () => {
    const once = (status: number) =>
      verdictOn(
        'forged.truncated',
        altered(goodDrive(), 'forged.truncated', (_line, at) => (at === 1 ? { status } : {})),
      );
    expect(once(200)).toMatchObject({ summary: expect.stringMatching(/; dropped in silence: .*effect$/) });
    expect(once(500)).toMatchObject({ summary: expect.stringMatching(/; a 5xx: .*exception$/) });
    expect(verdictOn('burst.answers', goodDrive())).toEqual({
      kind: 'held',
      summary: '30 deliveries: 200, within 10 ms',
    });
  });

  it('is nothing of a delivery that no case has', () => {
    const trace = altered(goodDrive(), 'valid.sent', () => ({ name: 'other' }));
    expect(verdictOn('valid.sent', trace)).toMatchObject({
      kind: 'crashed',
      message: expect.stringContaining('valid.sent has no delivery "other"'),
    });
  });

  it('names all answers where they are as expected, and the slowest', () => {
    expect(verdictOn('valid.sent', goodDrive())).toEqual({ kind: 'held', summary: '200, within 10 ms' });
    const trace = altered(goodDrive(), 'forged.truncated', (_line, at) => ({
      status: at === 0 ? 400 : 401,
      receivedMs: 1_010.2 + 10 * at,
    }));
    expect(verdictOn('forged.truncated', trace)).toEqual({
      kind: 'held',
      summary: '3 deliveries: 400, 401, within 31 ms',
    });
    const cutOff = altered(goodDrive(), 'connection.cut-off', (_line, at) =>
      at === 0 ? unanswered('x') : {},
    );
    expect(verdictOn('connection.cut-off', cutOff)).toMatchObject({
      summary: '2 deliveries: no answer, 200, within 10 ms',
    });
  });

  it('quotes the first of them, with times from the first', () => {
    const trace = altered(goodDrive(), 'burst.answers', ({ sentMs }, at) => ({
      ...{ sentMs: sentMs + 2 * at, receivedMs: sentMs + 2 * at + 7, status: 400 },
      ...(at === 1 ? { failure: 'none within 5 s', receivedMs: null, status: null } : {}),
      ...(at === 2 ? { answer: null } : { answer: 'no' }),
    }));
    const verdict = verdictOn('burst.answers', trace);
    const deliveries = verdict.kind === 'violated' ? verdict.deliveries : [];
    const [first] = deliveries;
    expect(deliveries).toHaveLength(6);
    expect(deliveries.slice(0, 3)).toEqual([
      { ...first, name: 'event-0', sentMs: 0, answeredAfterMs: 7, status: 400, said: 'no' },
      {
        ...first,
        index: first!.index + 1,
        name: 'event-1',
        messageId: 'msg_test_burst.answers_message-0',
        sentMs: 2,
        answeredAfterMs: null,
        status: null,
        said: 'none within 5 s',
      },
      {
        ...first,
        index: first!.index + 2,
        name: 'event-2',
        messageId: 'msg_test_burst.answers_message-0',
        sentMs: 4,
        answeredAfterMs: 7,
        status: 400,
        said: '',
      },
    ]);
  });

  it('is no reason to call a receiver unreached that was reached by another', () => {
    const trace = altered(goodDrive(), 'repeated.in-turn', (_line, at) =>
      at === 1 ? unanswered('connection refused (ECONNREFUSED)') : {},
    );
    expect(verdictOn('repeated.in-turn', trace)).toMatchObject({ kind: 'violated', reason: 'no-answer' });
  });
});

describe('effects', () => {
  const withFound = (id: string, found: EffectLine['found']): DriveTrace => {
    const trace = goodDrive();
    const isMeant = (line: EffectLine): boolean => line.case === id && !line.messageId.endsWith('_later');
    return { ...trace, effects: trace.effects.map((line) => (isMeant(line) ? { ...line, found } : line)) };
  };
  const known = (state: string | null, handled: number | null) =>
    ({ kind: 'known', state, handled }) as const;

  it.each([
    ['effect.once-in-turn', known('received', 2), 'handled 2 times'],
    ['effect.once-in-turn', known('received', 0), 'never handled'],
    ['effect.once-in-turn', { kind: 'unknown' } as const, 'not known'],
    ['effect.any-order', known('delivered', 3), 'in the state "delivered"'],
    ['effect.forged', known('received', 1), 'known, and was handled'],
  ])('%s fails where the message is %j', (id, found, says) => {
    expect(verdictOn(id, withFound(id, found))).toMatchObject({ kind: 'violated', reason: 'wrong-effect' });
    expect(JSON.stringify(verdictOn(id, withFound(id, found)))).toContain(JSON.stringify(says).slice(1, -1));
  });

  it.each([
    ['effect.once-in-turn', known('received', null)],
    ['effect.any-order', known(null, 3)],
    ['effect.forged', { kind: 'unreadable', detail: 'status 500' } as const],
  ])('%s is open where the effects URL answers %j', (id, found) => {
    expect(verdictOn(id, withFound(id, found))).toMatchObject({ kind: 'inconclusive', because: [] });
  });

  it('are as expected, and say of how many messages', () => {
    expect(verdictOn('effect.once-in-turn', goodDrive())).toEqual({ kind: 'held', summary: 'as expected' });
    expect(verdictOn('effect.any-order', goodDrive())).toEqual({
      kind: 'held',
      summary: 'as expected for 6 messages',
    });
    expect(verdictOn('effect.forged', withFound('effect.forged', known(null, 0))).kind).toBe('held');
  });

  it('are shown by the deliveries of the messages that are wrong', () => {
    const trace = goodDrive();
    const looks = trace.effects.filter(
      ({ case: id, messageId }) => id === 'effect.any-order' && !messageId.endsWith('_later'),
    );
    const wrong = (count: number) => ({
      ...trace,
      effects: trace.effects.map((line) =>
        looks.slice(0, count).includes(line) ? { ...line, found: known('sent', 3) } : line,
      ),
    });
    const [name] = looks[0]!.messageId.split('_').slice(-1);
    expect(verdictOn('effect.any-order', wrong(1))).toMatchObject({
      observed: `the message "${name}" is in the state "sent"`,
      deliveriesTotal: 3,
    });
    expect(verdictOn('effect.any-order', wrong(2))).toMatchObject({
      observed: `the message "${name}" is in the state "sent"; 2 of 6 messages are wrong`,
      deliveriesTotal: 6,
    });
  });

  it('are not asked where the answers are wrong already, and open where nobody asked', () => {
    const trace = altered(goodDrive(), 'effect.once-in-turn', () => ({ status: 500 }));
    expect(verdictOn('effect.once-in-turn', trace)).toMatchObject({ kind: 'violated', reason: 'crashed' });
    expect(verdictOn('effect.once-in-turn', { ...goodDrive(), effects: [] })).toMatchObject({
      kind: 'inconclusive',
      reason: 'repeated: the run ended before the effects URL was asked',
    });
  });

  it('count by the last look: what was right once may be undone', () => {
    const trace = goodDrive();
    const undone = trace.effects
      .filter((line) => line.case === 'effect.any-order')
      .map((line) => ({ ...line, found: known('sent', 3) }));
    const later = { ...trace, effects: [...trace.effects, ...undone] };
    expect(verdictOn('effect.any-order', later).kind).toBe('violated');
  });
});

describe('the likely cause of a refused first event', () => {
  const refused = altered(goodDrive(), 'valid.received', () => ({ status: 401 }));
  const tried = (taken: string | null): DriveTrace => ({
    ...refused,
    deliveries: [
      ...refused.deliveries,
      ...['no-prefix', 'upper-case', 'base64', 'HMAC-MD5 over nothing'].map((name, at) => ({
        ...delivered({ case: diagnosisCase, name, status: name === taken ? 200 : 401 }),
        index: 900 + at,
      })),
    ],
  });

  it.each([
    ['upper-case', 'upper-case hex'],
    ['base64', 'base64'],
    [
      'HMAC-MD5 over nothing',
      'it computes HMAC-MD5 over nothing; the convention is HMAC-SHA256 over the exact bytes of the body',
    ],
    [null, 'its secret is not the one in NEW'],
  ])('%s was taken', (taken, says) => {
    expect(verdictOn('valid.received', tried(taken))).toMatchObject({
      likely: expect.stringContaining(says),
    });
  });

  it('is the work, or the address, where there was no answer', () => {
    const trace = altered(goodDrive(), 'valid.received', () => unanswered('no answer within 5 s'));
    expect(verdictOn('valid.received', trace)).toMatchObject({
      likely: expect.stringContaining('answer first, work later'),
    });
  });

  it('is none where the certificate is not trusted: then the receiver was not reached', () => {
    const failure = 'the certificate is signed by itself (DEPTH_ZERO_SELF_SIGNED_CERT)';
    const trace = altered(goodDrive(), 'valid.received', () => unanswered(failure));
    expect(verdictOn('valid.received', trace).kind).toBe('inconclusive');
  });

  it('is what the case says where nothing more is known', () => {
    const failure = (id: string) => driveCases.find((one) => one.id === id)?.failure;
    expect(verdictOn('valid.received', refused)).toMatchObject({ likely: failure('valid.received') });
    const other = altered(goodDrive(), 'valid.sent', () => ({ status: 401 }));
    expect(verdictOn('valid.sent', other)).toMatchObject({ likely: failure('valid.sent') });
    const silent = altered(goodDrive(), 'valid.sent', () => unanswered('no answer within 5 s'));
    expect(verdictOn('valid.sent', silent)).toMatchObject({ likely: failure('valid.sent') });
    for (const status of [299, 200]) {
      const unseen = { ...goodDrive({ effects: null }), effects: [] };
      const forged = altered(unseen, 'forged.sha1', () => ({ status }));
      expect(verdictOn('forged.sha1', forged)).toMatchObject({ likely: failure('forged.sha1') });
    }
  });

  it.each([
    [300, 'redirects'],
    [399, 'redirects'],
    [400, 'the raw bytes'],
    [405, 'POST is not served at http://127.0.0.1:3000/hooks'],
    [411, 'Content-Length'],
    [415, 'application/json'],
    [429, 'limits how often'],
    [404, 'nothing is served at http://127.0.0.1:3000/hooks'],
    [301, 'redirects'],
    [413, 'the body is more than the framework, or a proxy before it, is set to accept'],
  ])('is seen from a %i alone', (status, says) => {
    const { deliveries, ...rest } = altered(goodDrive(), 'valid.received', () => ({ status }));
    // Nothing else is sent where the first event is refused.
    const trace = { ...rest, deliveries: deliveries.slice(0, 1) };
    expect(verdictOn('valid.received', trace)).toMatchObject({ likely: expect.stringContaining(says) });
  });

  it.each([404, 405])('is no wrong path, by a %i, where other events were accepted at it', (status) => {
    const failure = driveCases.find(({ id }) => id === 'valid.failed')?.failure;
    const trace = altered(goodDrive(), 'valid.failed', () => ({ status }));
    expect(verdictOn('valid.failed', trace)).toMatchObject({ likely: failure });
  });
});

describe('the likely cause of refused events of unknown messages', () => {
  const inOrders = ['repeated.any-order', 'effect.any-order'];

  /** A receiver that refuses such kinds of events until another one of their message has come. */
  const demanding = (kinds: readonly string[], { status = 404, of = inOrders } = {}): DriveTrace => {
    const known = new Set<string>();
    const good = goodDrive();
    const deliveries = good.deliveries.map((line) => {
      const isOfOrders = of.includes(line.case);
      const kind = isOfOrders ? line.name.split('-')[0] : line.case.replace('valid.', '');
      if (kinds.includes(kind ?? '') && !known.has(line.messageId)) return { ...line, status };
      known.add(line.messageId);
      return line;
    });
    return { ...good, deliveries };
  };
  const never = inOrders.reduce(
    (trace, id) => altered(trace, id, ({ name }) => (name.startsWith('read') ? { status: 404 } : {})),
    demanding(['read']),
  );
  const text = 'refused where no earlier event of the message came: take events in any order';

  it('is that an earlier event is demanded, told in the same words of both', () => {
    for (const id of ['valid.delivered', 'valid.read'])
      expect(verdictOn(id, demanding(['delivered', 'read']))).toMatchObject({
        likely: expect.stringContaining(`delivered and read are ${text}`),
      });
    expect(verdictOn('valid.read', demanding(['read'], { status: 499 }))).toMatchObject({
      likely: expect.stringContaining(`read is ${text}`),
    });
  });

  it.each([
    ['a kind that is refused always', never],
    ['a kind that was taken first once', demanding(['read'], { of: ['repeated.any-order'] })],
    ['an exception', demanding(['read'], { status: 500 })],
    ['a redirect', demanding(['read'], { status: 399 })],
  ])('is something else for %s', (_what, trace) => {
    const verdict = verdictOn('valid.read', trace);
    expect(verdict.kind).toBe('violated');
    expect(JSON.stringify(verdict)).not.toContain(text);
  });

  it('says nothing of another kind that is refused', () => {
    const trace = altered(demanding(['read']), 'valid.failed', () => ({ status: 404 }));
    expect(JSON.stringify(verdictOn('valid.failed', trace))).not.toContain(text);
  });
});

test('a body that is too large for a receiver is named by its size', () => {
  const refused = (length: string) => ({
    status: 413,
    headers: [['Content-Length', length] satisfies [string, string]],
  });
  const long = altered(goodDrive(), 'allowed.long-text', () => refused('5744'));
  expect(verdictOn('allowed.long-text', long)).toMatchObject({
    likely: 'a body of 5,744 bytes is more than the framework, or a proxy before it, is set to accept',
  });
  // What refuses the shorter one refuses the longer one too.
  const both = altered(long, 'allowed.large', () => refused('1048576'));
  for (const id of ['allowed.long-text', 'allowed.large'])
    expect(verdictOn(id, both)).toMatchObject({ likely: expect.stringContaining('a body of 5,744 bytes') });
  const large = altered(goodDrive(), 'allowed.large', () => refused('1048576'));
  expect(verdictOn('allowed.large', large)).toMatchObject({
    likely: expect.stringContaining('a body of 1,048,576 bytes'),
  });
});

test('a burst is measured by nearest rank', () => {
  const statuses: Readonly<Record<number, number>> = { 25: 299, 26: 300, 27: 199, 28: 503 };
  const trace = altered(goodDrive(), 'burst.answers', ({ sentMs }, at) =>
    at === 29 ? unanswered('x') : { receivedMs: sentMs + at + 1, status: statuses[at] ?? 200 },
  );
  expect(judgeDrive(trace).burst).toMatchObject({
    sent: 30,
    accepted: 26,
    refused: 3,
    unanswered: 1,
    p50Ms: 15,
    p95Ms: 28,
    p99Ms: 29,
    maxMs: 29,
    lateMsMax: 0,
  });
});
