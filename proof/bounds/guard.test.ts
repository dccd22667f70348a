import { describe, expect, it } from 'vitest';
import { openGuard } from '../../checks/guard.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { interrupted } from '../../contract/unreachable.ts';
import { admitted, indeterminate, times } from '../../judge/testing/traces.ts';

function guardOf(changes: object = {}) {
  let nowMs = 1_000;
  const deployment = deploymentSchema.parse({ baseUrls: ['http://api'], keyEnv: ['KEY_A'], ...changes });
  const clock = { nowMs: () => nowMs, wallMs: () => nowMs };
  const guard = openGuard({ deployment, clock });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { guard, pass };
}

const unwell = (retryAfter: string | null = null) =>
  admitted(100, 105, { status: 503, outcome: 'refused', body: '', retryAfter });

describe('a guard', () => {
  it('lets no more requests leave than the settings say, and says why', () => {
    const { guard } = guardOf({ maxRequests: 100 });
    expect([guard.take(60), guard.take(40)]).toEqual([true, true]);
    guard.giveBack(10);
    expect([guard.take(10), guard.whyStopped()]).toEqual([true, null]);
    expect(guard.take(1)).toBe(false);
    expect(guard.whyStopped()).toBe(
      'maxRequests is 100: after 100 requests the next would have been more. Set it higher (--max-requests), or have ' +
        'less sent; "plan" says how much that is.',
    );
    expect(guard.sending().aborted).toBe(true);
    guard.giveBack(50);
    expect(guard.take(1)).toBe(false);
  });

  it('stops what is being sent where the target fails', () => {
    const { guard } = guardOf();
    const sending = guard.sending();
    for (const answer of times(20, () => unwell())) guard.hear(answer);
    expect(sending.aborted).toBe(true);
    expect(guard.take(1)).toBe(false);
    guard.hear(indeterminate(200, { failure: 'context canceled' }));
    expect(guard.whyStopped()).toMatch(
      /^http:\/\/api: 503 to 20 of 20 requests from \+0\.0 s, so nothing more was sent\. See /,
    );
  });

  it('asks whether that is a refusal, where it came once as many had passed as the document lets', () => {
    const media = { title: 'a', limit: 5 };
    const whyAfter = (count: number, scopes: object = { media }): string | null => {
      const { guard } = guardOf({ document: { version: 1, title: 'a', windowSeconds: 60, scopes } });
      for (const answer of times(count, () => admitted(0, 5))) guard.hear(answer);
      for (const answer of times(20, () => unwell())) guard.hear(answer);
      return guard.whyStopped();
    };
    expect(whyAfter(5)).toContain(
      '503 came once as many requests of media had passed as the document allows (5): if that is how the service refuses over the ' +
        'limit, a document with refusal.status: 503 says so. See ',
    );
    // In a later window, it is no news that more than one window's worth had passed by then.
    expect(whyAfter(10)).toContain('as the document allows (5): if');
    expect(whyAfter(5, { media, rest: { ...media, paths: ['/x'] } })).toContain(
      'refusal.status: 503, or [429, 503] where other scopes do not says so. ',
    );
    expect(whyAfter(4)).not.toContain('refusal.status');
  });

  it('waits once as long as the target asks, and ends the run where it fails again', () => {
    const { guard, pass } = guardOf();
    const before = guard.sending();
    for (const answer of times(20, () => unwell('30'))) guard.hear(answer);
    expect([before.aborted, guard.sending().aborted, guard.whyStopped()]).toEqual([true, false, null]);
    expect(guard.pausedUntilMs()).toBe(31_000);
    pass(30_000);
    expect(guard.take(1)).toBe(true);
    for (const answer of times(3, () => unwell('30'))) guard.hear(answer);
    expect(guard.whyStopped()).toContain('asked for 30 s (Retry-After)');
  });

  it('does not wait longer than the settings allow', () => {
    const { guard } = guardOf({ breaker: { retryAfterSecondsMax: 29 } });
    for (const answer of times(20, () => unwell('30'))) guard.hear(answer);
    expect(guard.whyStopped()).toContain('asked for 30 s (Retry-After)');
  });

  it('does not blame the target for what was given up', () => {
    const { guard } = guardOf();
    for (const answer of times(300, () => indeterminate(0, { failure: interrupted }))) guard.hear(answer);
    expect(guard.whyStopped()).toBeNull();
  });
});
