import { describe, expect, it } from 'vitest';
import { messagingDocument } from '../contract/document/messaging.ts';
import { UsageError } from '../contract/usage-error.ts';
import { behaviourOf, documentedBehaviour } from './documented-behaviour.ts';
import type { Deviation } from './faults/fault.ts';
import { faults, findFault, variants, withFaults } from './faults.ts';
import { answerTo, gateWith, headerOf, minuteMs, rateHeadersOf, smallLimits } from './testing/gates.ts';

function fault(name: string): Deviation {
  const found = findFault(name);
  if (found === undefined) throw new Error(`no fault ${name}`);
  return found;
}

/** Answers to `count` requests at one moment. */
const burst = (gate: ReturnType<typeof gateWith>, count: number, nowMs = minuteMs) =>
  Array.from({ length: count }, () => answerTo(gate, { nowMs }));

describe('faults', () => {
  it('have names of their own, and each violates something', () => {
    const names = [...faults, ...variants].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { must, may, reasons, leavesOpen = [] } of faults) {
      expect(must.length + leavesOpen.length).toBeGreaterThan(0);
      expect(reasons.length > 0).toBe(must.length > 0);
      expect(must.filter((clause) => may.includes(clause))).toEqual([]);
    }
    expect(findFault('no-such-fault')).toBeUndefined();
  });

  it('leave the documented behaviour as it is', () => {
    const before = { ...documentedBehaviour };
    for (const one of [...faults, ...variants]) withFaults(documentedBehaviour, [one]);
    expect(documentedBehaviour).toEqual(before);
  });

  it('that change a body are refused where errors have no such body', () => {
    const named = (...names: readonly string[]) => names.flatMap((name) => findFault(name) ?? []);
    const bare = behaviourOf({ ...messagingDocument, errors: 'none' });
    expect(() => withFaults(bare, named('body-flat'))).toThrow(
      'The fault "body-flat" changes a body that errors do not have here: the document promises none like it, or another fault took it away. Choose another one.',
    );
    expect(() => withFaults(bare, named('limit-plus-one', 'html-on-429'))).not.toThrow();
    expect(() => withFaults(documentedBehaviour, named('html-on-429', 'code-missing'))).toThrow(UsageError);
  });

  it.each([
    ['/v1/status', smallLimits.standard],
    ['/v1/messages', smallLimits.messages],
    ['/v1/media', smallLimits.media],
  ])('limit-minus-one admits one fewer at %s and announces all', (path, limit) => {
    const gate = gateWith(fault('limit-minus-one'));
    const answers = Array.from({ length: limit }, () => answerTo(gate, { path }));
    expect(answers.map(({ status }) => status)).toEqual([...new Array(limit - 1).fill(200), 429]);
    expect(answers.map((answer) => rateHeadersOf(answer)[0])).toEqual(new Array(limit).fill(String(limit)));
  });

  it('fixed-window admits twice the limit across a minute of the wall clock', () => {
    const gate = gateWith(fault('fixed-window'));
    const answers = [...burst(gate, 4, minuteMs - 1), ...burst(gate, 4, minuteMs)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
  });

  it('headers-missing-on-429 takes them from the 429 alone', () => {
    const answers = burst(gateWith(fault('headers-missing-on-429')), 4);
    expect(answers.map((answer) => headerOf(answer, 'X-RateLimit-Limit'))).toEqual(['3', '3', '3', null]);
    expect(rateHeadersOf(answers[3]!)).toEqual([null, null, null]);
  });

  it('reset-in-milliseconds changes Reset alone', () => {
    const answers = burst(gateWith(fault('reset-in-milliseconds')), 4);
    expect(answers.map(rateHeadersOf)).toEqual(
      ['2', '1', '0', '0'].map((remaining) => ['3', remaining, String(minuteMs + 60_000)]),
    );
  });

  it('over-limit-dropped and over-limit-delayed rule what the sockets carry out', () => {
    const rulingOf = (name: string) => {
      const gate = gateWith(fault(name));
      const head = { method: 'GET', path: '/v1/media', authorization: 'Bearer secret-a' };
      const rulings = [1, 2, 3].map(() => gate.rule({ ...head, connection: 1, node: 0, nowMs: minuteMs }));
      return rulings.map(({ kind }) => kind);
    };
    expect(rulingOf('over-limit-dropped')).toEqual(['admit', 'admit', 'drop']);
    expect(rulingOf('over-limit-delayed')).toEqual(['admit', 'admit', 'delay']);
  });

  it('that remember something remember it for one service alone', () => {
    for (const deviation of [...faults, ...variants]) {
      const first = burst(gateWith(deviation), 5);
      expect(burst(gateWith(deviation), 5)).toEqual(first);
    }
  });

  it('can be combined', () => {
    const answers = burst(gateWith(fault('limit-minus-one'), fault('headers-missing-on-429')), 3);
    expect(answers.map(rateHeadersOf).map(([limit]) => limit)).toEqual(['3', '3', null]);
  });
});
