import { describe, expect, it } from 'vitest';
import { forgedCases, refusalsCase } from '../../../contract/webhooks/drive/cases/forged.ts';
import type { CaseJudgement } from '../../../contract/webhooks/drive/verdict.ts';
import { withSharedCauses } from './shared-causes.ts';

const held = (id: string): CaseJudgement => ({ case: id, verdict: { kind: 'held', summary: '' } });
const notSent = (id: string): CaseJudgement => ({
  case: id,
  verdict: { kind: 'not-applicable', reason: 'it was not chosen' },
});

function failed(
  id: string,
  reason = 'accepted',
  status: number | null = 200,
  likely = 'its own',
): CaseJudgement {
  const quoted = { index: 0, name: '', messageId: '', sentMs: 0, answeredAfterMs: 1, status, said: '' };
  const verdict = { kind: 'violated', reason, observed: '', likely } as const;
  return { case: id, verdict: { ...verdict, deliveries: [quoted], deliveriesTotal: 1 } };
}

/** The likely cause of each failure, in a few words. */
function causes(...judgements: readonly CaseJudgement[]): Readonly<Record<string, string>> {
  const named = withSharedCauses(judgements);
  expect(named.map((one) => one.case)).toEqual(judgements.map((one) => one.case));
  const failures = named.flatMap(({ case: id, verdict }) =>
    verdict.kind === 'violated' ? [[id, verdict.likely.split(/[:,]/)[0] ?? ''] as const] : [],
  );
  return Object.fromEntries(failures);
}

const forgeries = forgedCases.map(({ id }) => id).filter((id) => id !== refusalsCase);
const nothing = 'no signature is verified';
const form = 'the form of the signature is looked at';
const anew = 'the body is parsed and written again before the signature is computed';
const thrown = 'one exception for all of these';
const late = 'the work is done before the answer';

describe('one cause of several failures', () => {
  it('is that nothing is verified, where every forgery that was sent is accepted', () => {
    const [first = '', second = '', ...others] = forgeries;
    const taken = [failed(first), failed(second)];
    expect(causes(...taken, ...others.map(notSent))).toEqual({ [first]: nothing, [second]: nothing });
    expect(causes(...taken, held('forged.wrong-secret'))).toEqual({
      [first]: 'its own',
      [second]: 'its own',
    });
    expect(causes(failed(first), failed('effect.forged'), failed('valid.sent', 'not-accepted', 401))).toEqual(
      {
        [first]: nothing,
        'effect.forged': nothing,
        'valid.sent': 'its own',
      },
    );
    // How forgeries are refused is a question of its own, and says nothing of those that are accepted.
    expect(causes(...taken, held(refusalsCase))).toEqual({ [first]: nothing, [second]: nothing });
    expect(causes(failed(first), failed(refusalsCase, 'too-late', 401))).toEqual({
      [first]: 'its own',
      [refusalsCase]: 'its own',
    });
  });

  it('is that the form alone is looked at, where every other value of it is accepted', () => {
    const values = ['forged.wrong-secret', 'forged.flipped-bit', 'forged.altered-body'];
    const refused = held('forged.no-signature');
    expect(causes(refused, ...values.map((id) => failed(id)))).toEqual(
      Object.fromEntries(values.map((id) => [id, form])),
    );
    for (const id of values) {
      const rest = values.filter((one) => one !== id);
      expect(causes(refused, held(id), ...rest.map((one) => failed(one)))).toEqual(
        Object.fromEntries(rest.map((one) => [one, 'its own'])),
      );
    }
  });

  it('is that the given digits alone are compared, where a signature passes by any part of it', () => {
    const passing = (...names: readonly string[]): CaseJudgement => {
      const { case: id, verdict } = failed('forged.truncated');
      if (verdict.kind !== 'violated') throw new Error('it is no failure');
      const deliveries = names.flatMap((name) => verdict.deliveries.map((one) => ({ ...one, name })));
      return { case: id, verdict: { ...verdict, deliveries } };
    };
    const others = ['forged.no-signature', 'forged.empty-signature', 'effect.forged'];
    const refused = held('forged.wrong-secret');
    const cut = passing('prefix-alone', 'first-half', 'all-but-one-digit');
    expect(causes(refused, cut, failed('forged.sha1'), ...others.map((id) => failed(id)))).toEqual({
      ...Object.fromEntries(
        ['forged.truncated', ...others].map((id) => [id, 'only the digits that are given are compared']),
      ),
      'forged.sha1': 'its own',
    });
    // Some take nothing after the prefix for no signature, and that for none to verify.
    for (const part of [passing('prefix-alone'), passing('first-half'), passing('all-but-one-digit')])
      expect(causes(refused, part, failed('forged.no-signature'))).toMatchObject({
        'forged.no-signature': 'its own',
      });
    expect(causes(refused, cut)).toEqual({ 'forged.truncated': 'its own' });
  });

  it('is that JSON is written anew, where other white space is refused', () => {
    const refused = (id: string) => failed(id, 'not-accepted', 401);
    expect(
      causes(
        held('forged.no-signature'),
        failed('forged.reserialised'),
        refused('allowed.escaped'),
        refused('allowed.white-space'),
        refused('allowed.unescaped'),
        refused('allowed.large'),
      ),
    ).toEqual({
      'forged.reserialised': anew,
      'allowed.escaped': anew,
      'allowed.white-space': anew,
      'allowed.unescaped': anew,
      'allowed.large': 'its own',
    });
    expect(causes(refused('allowed.escaped'), refused('allowed.unescaped'))).toEqual({
      'allowed.escaped': 'its own',
      'allowed.unescaped': 'its own',
    });
  });

  it('is a limit on bodies, where a long text is refused as a longer body is', () => {
    const refused = (id: string) => failed(id, 'not-accepted', 413);
    const limited = failed('allowed.long-text', 'not-accepted', 413, 'a limit');
    expect(causes(limited, refused('allowed.large'))).toEqual({
      'allowed.long-text': 'a limit',
      'allowed.large': 'a limit',
    });
    expect(causes(limited, failed('allowed.large', 'crashed', 500))).toMatchObject({
      'allowed.large': 'its own',
    });
    expect(causes(refused('allowed.large'), refused('valid.sent'))).toMatchObject({
      'allowed.large': 'its own',
    });
  });

  it('is an exception, where several are answered by one status', () => {
    expect(
      causes(
        failed('valid.sent', 'crashed', 500),
        failed('valid.read', 'crashed', 502),
        failed('allowed.large', 'crashed', 500),
        failed('valid.failed', 'not-accepted', 500),
      ),
    ).toEqual({
      'valid.sent': thrown,
      'valid.read': 'its own',
      'allowed.large': thrown,
      'valid.failed': 'its own',
    });
  });

  it('is work before the answer, where several come too late', () => {
    const slow = (id: string) => failed(id, 'too-late');
    expect(causes(slow('valid.sent'), slow('valid.read'), failed('valid.failed', 'no-answer'))).toEqual({
      'valid.sent': late,
      'valid.read': late,
      'valid.failed': 'its own',
    });
    expect(causes(slow('valid.sent'))).toEqual({ 'valid.sent': 'its own' });
  });

  it('is the first one that explains a failure', () => {
    expect(
      causes(
        held('forged.no-signature'),
        failed('allowed.white-space', 'crashed', 500),
        failed('allowed.escaped', 'crashed', 500),
        failed('valid.sent', 'crashed', 500),
      ),
    ).toEqual({ 'allowed.white-space': anew, 'allowed.escaped': anew, 'valid.sent': thrown });
  });
});
