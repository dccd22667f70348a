import { describe, expect, it, test } from 'vitest';
import { answerFault, isAccepted, refusalFault } from './answer-faults.ts';
import { isBurst, messageIdOf, needsMet, showsAwaited, showsEffect } from './case.ts';
import { stillThere } from './delivery.ts';
import { diagnosisCase } from './diagnosis.ts';
import { driveCases, findDriveCase } from './registry.ts';
import type { DeliveryLine, DriveHeader, EffectLine } from './trace.ts';

describe('what a case needs', () => {
  const header = (effects: string | null, secretEnv: readonly string[]) =>
    ({ effects, secretEnv }) as DriveHeader;

  it.each([
    ['valid.received', null, ['A'], true],
    ['effect.forged', null, ['A', 'B'], false],
    ['effect.forged', 'http://127.0.0.1:1/', ['A'], true],
    ['secrets.rotation', 'http://127.0.0.1:1/', ['A'], false],
    ['secrets.rotation', null, ['A', 'B'], true],
  ])('%s with effects at %s and the secrets %j: %s', (id, effects, secretEnv, met) => {
    expect(needsMet(findDriveCase(id)!, header(effects, secretEnv))).toBe(met);
  });
});

describe('what a look shows', () => {
  const known = (state: string | null, handled: number | null): EffectLine['found'] => ({
    kind: 'known',
    state,
    handled,
  });

  it.each([
    ['handled', known(null, 0), false],
    ['handled', known(null, null), false],
    ['handled', known(null, 1), true],
    ['handled', known(null, 2), true],
    ['read', known('read', 0), true],
    ['read', known('sent', 1), false],
    ['nothing', known('read', 1), true],
    ['handled', { kind: 'unknown' }, false],
    ['handled', { kind: 'unreadable', detail: 'status 500' }, false],
  ] as const)('%s is shown by %j: %s', (awaited, found, shown) => {
    expect(showsAwaited(found, awaited)).toBe(shown);
  });
});

test.each([
  [{ kind: 'known', state: 'read', handled: 1 }, true],
  [{ kind: 'known', state: 'read', handled: null }, true],
  [{ kind: 'known', state: 'read', handled: 0 }, false],
  [{ kind: 'unknown' }, false],
  [{ kind: 'unreadable', detail: 'x' }, false],
] as const)('an effect is shown by %j: %s', (found, shown) => {
  expect(showsEffect(found)).toBe(shown);
});

describe('what is expected', () => {
  const line = (status: number | null): DeliveryLine =>
    ({ status, sentMs: 0, receivedMs: 10, stalledMs: 0, failure: null }) as DeliveryLine;
  const reason = (status: number | null, expects: Parameters<typeof answerFault>[1]['expects']) =>
    answerFault(line(status), { expects, budgetMs: 10 })?.reason ?? null;

  it.each([
    [199, 'not-accepted'],
    [200, null],
    [299, null],
    [300, 'not-accepted'],
    [499, 'not-accepted'],
    [500, 'crashed'],
    [null, 'no-answer'],
  ])('an event that is answered %s: %s', (status, fault) => {
    expect(reason(status, 'accepted')).toBe(fault);
    expect(isAccepted(line(status), 10)).toBe(fault === null);
    expect(reason(status, 'not-accepted')).toBe(fault === null ? 'accepted' : null);
  });

  it.each([
    [199, null, 'not-refused'],
    [200, 'accepted', null],
    [299, 'accepted', null],
    [300, null, 'not-refused'],
    [399, null, 'not-refused'],
    [400, null, null],
    [429, 'limited', null],
    [499, null, null],
    [500, null, 'crashed'],
    [null, 'no-answer', 'no-answer'],
  ])('a forgery that is answered %s: %s, as a refusal %s', (status, fault, refusal) => {
    expect(reason(status, 'refused')).toBe(fault);
    expect(refusalFault(line(status), 10)?.reason ?? null).toBe(refusal);
  });

  it('a forgery that is refused late, or by a broken connection', () => {
    const late = { ...line(401), receivedMs: 11 };
    expect(answerFault(late, { expects: 'refused', budgetMs: 10 })).toBeNull();
    expect(refusalFault(late, 10)?.reason).toBe('too-late');
    const broken = { ...line(null), failure: 'connection reset (ECONNRESET)' };
    expect(answerFault(broken, { expects: 'refused', budgetMs: 10 })).toBeNull();
  });

  it.each([
    [499, null],
    [500, 'crashed'],
    [502, 'crashed'],
  ])('what may be refused is answered %i: %s', (status, fault) => {
    expect(reason(status, 'survived')).toBe(fault);
  });
});

it('sends one burst, as the whole of a case', () => {
  expect(driveCases.filter(isBurst).map(({ id }) => id)).toEqual(['burst.answers']);
  const [one] = findDriveCase('valid.sent')!.actions;
  const [burst] = findDriveCase('burst.answers')!.actions;
  expect(isBurst({ ...findDriveCase('valid.sent')!, actions: [one!, burst!] })).toBe(true);
});

it('has words that traces keep', () => {
  expect([diagnosisCase, stillThere.name]).toEqual(['diagnosis', 'still-there']);
  expect(messageIdOf({ runId: '3f1c20aa', caseId: 'repeated.in-turn', message: 'repeated' })).toBe(
    'msg_3f1c20aa_repeated.in-turn_repeated',
  );
});
