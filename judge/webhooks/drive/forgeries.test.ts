import { describe, expect, it } from 'vitest';
import { deliveriesOf, messageIdOf } from '../../../contract/webhooks/drive/case.ts';
import { forgedCases } from '../../../contract/webhooks/drive/cases/forged.ts';
import type { DeliveryLine, DriveTrace, EffectLine } from '../../../contract/webhooks/drive/trace.ts';
import { judgeDrive } from './judge-drive.ts';
import { goodDrive } from './testing/drives.ts';

const isForgery = ({ case: id, name }: DeliveryLine): boolean =>
  forgedCases.some((one) => one.id === id) || (id === 'effect.forged' && name !== 'later');

/** The trace of a receiver that answers some forgeries otherwise than the good one. */
function answering(
  status: number | null,
  { of = isForgery, effects = true }: { of?: (line: DeliveryLine) => boolean; effects?: boolean } = {},
): DriveTrace {
  const good = goodDrive(effects ? {} : { effects: null });
  const gone =
    status === null ? { receivedMs: null, answer: null, failure: 'connection reset (ECONNRESET)' } : {};
  return {
    ...good,
    deliveries: good.deliveries.map((line) => (of(line) ? { ...line, status, ...gone } : line)),
    effects: effects ? good.effects : [],
  };
}

/** The same trace where the messages of forgeries were handled, or another look found something else. */
function looking(trace: DriveTrace, change: (line: EffectLine) => EffectLine['found'] | null): DriveTrace {
  return {
    ...trace,
    effects: trace.effects.flatMap((line) => {
      const found = change(line);
      return found === null ? [] : [{ ...line, found }];
    }),
  };
}

const handled = { kind: 'known', state: 'received', handled: 1 } as const;
const isLater = ({ messageId }: EffectLine): boolean => messageId.endsWith('_later');
const withEffects = (trace: DriveTrace): DriveTrace =>
  looking(trace, (line) => (line.case === 'effect.forged' ? handled : line.found));

function verdictsOn(
  trace: DriveTrace,
): ReadonlyMap<string, ReturnType<typeof judgeDrive>['cases'][number]['verdict']> {
  return new Map(judgeDrive(trace).cases.map((one) => [one.case, one.verdict]));
}

const forgedIds = forgedCases.map(({ id }) => id).filter((id) => id !== 'forged.answers');

const kinds = (trace: DriveTrace, ids: readonly string[]): readonly string[] => {
  const verdicts = verdictsOn(trace);
  return [...new Set(ids.map((id) => verdicts.get(id)?.kind ?? 'none'))];
};

/** Forgeries of the right form with a wrong value. */
const values = [
  'by-wrong-secret',
  'by-empty-secret',
  'first-bit-flipped',
  'last-bit-flipped',
  'of-altered-body',
];

describe('a receiver that answers every forgery 200', () => {
  it('and handles it verifies nothing: one cause for all', () => {
    const verdicts = verdictsOn(withEffects(answering(200)));
    const likely = [...forgedIds, 'effect.forged'].map((id) => {
      const verdict = verdicts.get(id);
      return verdict?.kind === 'violated' ? verdict.likely : verdict?.kind;
    });
    expect(new Set(likely)).toEqual(
      new Set(['no signature is verified: every event is accepted, whoever sent it']),
    );
    expect(verdicts.get('forged.sha1')).toMatchObject({
      reason: 'accepted',
      observed: 'it was answered 200, and had its effect',
    });
  });

  it('and drops it in silence is right: the document gives no status', () => {
    const verdicts = verdictsOn(answering(200));
    expect([...verdicts.values()].filter(({ kind }) => kind !== 'held')).toEqual([]);
    expect(verdicts.get('forged.sha1')).toEqual({
      kind: 'held',
      summary: '200, within 10 ms; dropped in silence: a 2xx without an effect',
    });
  });

  it('is open where nobody can look at effects, and says so in one sentence', () => {
    const verdicts = verdictsOn(answering(204, { effects: false }));
    const reasons = forgedIds.map((id) => verdicts.get(id));
    expect(new Set(reasons.map((verdict) => JSON.stringify(verdict))).size).toBe(1);
    const sent = forgedCases.reduce((sum, one) => sum + deliveriesOf(one).length, 0);
    expect(reasons[0]).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining(`${sent} of ${sent} forgeries were answered 204`),
    });
    expect(verdicts.get('forged.answers')?.kind).toBe('held');
  });

  it('is open while the effect of a later event is not seen', () => {
    const early = looking(answering(200), (line) => (isLater(line) ? { kind: 'unknown' } : line.found));
    expect(verdictsOn(early).get('forged.sha1')).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringMatching(
        /^it was answered 200, and the effect .* raise --effects-wait, or events are lost$/,
      ),
    });
    const unreadable = looking(answering(200), (line) =>
      isLater(line) ? line.found : { kind: 'unreadable', detail: 'status 500' },
    );
    expect(verdictsOn(unreadable).get('forged.sha1')).toMatchObject({
      kind: 'inconclusive',
      reason: 'it was answered 200, and the effects URL answers status 500',
    });
  });
});

describe('a receiver that refuses some forgeries by their status', () => {
  const only =
    (...names: readonly string[]) =>
    (line: DeliveryLine): boolean =>
      isForgery(line) && names.includes(line.name);

  it('accepts those that it answers 200, where it refuses another value of the same form', () => {
    const trace = answering(200, { of: only('absent'), effects: false });
    expect(verdictsOn(trace).get('forged.no-signature')).toMatchObject({
      kind: 'violated',
      reason: 'accepted',
      observed: 'it was answered 200',
    });
  });

  it('may drop them after the answer, where it refuses nothing but other forms', () => {
    const trace = answering(200, { of: only(...values, 'of-reserialised-body'), effects: false });
    expect(kinds(trace, ['forged.wrong-secret', 'forged.flipped-bit'])).toEqual(['inconclusive']);
    const limited = {
      ...trace,
      deliveries: trace.deliveries.map((line) =>
        line.name === 'by-empty-secret' ? { ...line, status: 429 } : line,
      ),
    };
    expect(verdictsOn(limited).get('forged.wrong-secret')?.kind).toBe('inconclusive');
  });

  it('may drop them where one had no answer, and all statuses of a 2xx are named', () => {
    const trace = answering(200, { effects: false });
    const gone = { status: null, receivedMs: null, answer: null, failure: 'no answer within 5 s' };
    const changes: Readonly<Record<string, Partial<DeliveryLine>>> = {
      'by-wrong-secret': gone,
      absent: { status: 204 },
      empty: { status: 401 },
    };
    const deliveries = trace.deliveries.map((line) => ({ ...line, ...changes[line.name] }));
    const sent = forgedCases.reduce((sum, one) => sum + deliveriesOf(one).length, 0);
    expect(verdictsOn({ ...trace, deliveries }).get('forged.no-signature')).toMatchObject({
      kind: 'inconclusive',
      reason: expect.stringContaining(`${sent - 2} of ${sent} forgeries were answered 204, 200, as`),
    });
  });

  it('and looks at the form alone has one cause', () => {
    const trace = looking(answering(200, { of: only(...values) }), (line) =>
      values.some((name) => line.messageId.endsWith(`_${name}`)) ? handled : line.found,
    );
    for (const id of ['forged.wrong-secret', 'forged.altered-body', 'effect.forged'])
      expect(verdictsOn(trace).get(id)).toMatchObject({
        likely: expect.stringContaining('the form of the signature'),
      });
  });
});

describe('a forgery that is refused in another way', () => {
  it.each([500, 302, null])('by %s is not accepted, and is a shortcoming of the answers', (status) => {
    const verdicts = verdictsOn(answering(status));
    expect(kinds(answering(status), forgedIds)).toEqual(['held']);
    expect(verdicts.get('forged.answers')?.kind).toBe('violated');
  });

  it('by a 5xx is called an exception', () => {
    const verdicts = verdictsOn(answering(500));
    expect(verdicts.get('forged.sha1')).toMatchObject({
      summary: '500, within 10 ms; a 5xx: not processed, but by an exception',
    });
    expect(verdicts.get('forged.answers')).toMatchObject({
      reason: 'crashed',
      likely: expect.stringContaining('an exception that nobody caught, not a decision of the receiver'),
    });
  });

  it('is judged by the answers that were sent', () => {
    const none = goodDrive({ cases: ['valid.received', 'forged.answers'] });
    const trace = { ...none, deliveries: none.deliveries.filter((line) => !isForgery(line)) };
    expect(verdictsOn(trace).get('forged.answers')).toEqual({
      kind: 'not-applicable',
      reason: 'no forgery was sent',
    });
  });
});

describe('an effect of a forgery that was refused', () => {
  const id = messageIdOf({ runId: 'test', caseId: 'forged.non-hex', message: 'non-hex' });

  it('fails by itself, and names the case that sent it', () => {
    const trace = looking(goodDrive(), (line) => (line.messageId === id ? handled : line.found));
    expect(verdictsOn(trace).get('effect.forged')).toMatchObject({
      kind: 'violated',
      observed: 'the message "non-hex of forged.non-hex" is known, and was handled',
      likely: expect.stringContaining('handled before their signature is verified'),
    });
    expect(verdictsOn(trace).get('forged.non-hex')?.kind).toBe('held');
  });

  it('is no matter of who has no secret, where only its owner could have sent it', () => {
    const prefix = messageIdOf({ runId: 'test', caseId: 'forged.no-prefix', message: 'no-prefix' });
    const accepted = answering(200, { of: (line) => line.case === 'forged.no-prefix' });
    const trace = looking(accepted, (line) => (line.messageId === prefix ? handled : line.found));
    expect(verdictsOn(trace).get('forged.no-prefix')?.kind).toBe('violated');
    expect(verdictsOn(trace).get('effect.forged')?.kind).toBe('held');
  });

  it('stays one where a later look does not show it any more', () => {
    const good = goodDrive();
    const at = good.effects.findIndex((line) => line.messageId === id);
    const effects = good.effects.toSpliced(at, 0, { ...good.effects[at]!, found: handled });
    expect(verdictsOn({ ...good, effects }).get('effect.forged')?.kind).toBe('violated');
  });

  it('is judged whatever else failed', () => {
    const trace = withEffects(answering(200));
    expect(verdictsOn(trace).get('effect.forged')).toMatchObject({ kind: 'violated' });
  });
});
