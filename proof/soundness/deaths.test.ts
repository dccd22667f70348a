/** Runs that die at any line: what is left of their traces proves nothing that the whole would not. */
import { describe, expect, test } from 'vitest';
import { findClause } from '../../contract/clauses/registry.ts';
import { documentedLimits, documentedWindowMs } from '../../contract/scopes.ts';
import { assembleTrace } from '../../contract/trace.ts';
import type { TraceLine } from '../../contract/trace-lines.ts';
import { judgeTrace } from '../../judge/judge-trace.ts';
import { faults } from '../../service/faults.ts';
import { offlineService } from '../../service/offline.ts';
import { clausesWith, endOf } from '../simulation/simulated-trace.ts';
import { type Conforming, conformingServices, hostileLines } from './hostile-run.ts';
import type { HostileSetting } from './hostile-world.ts';

/** Slow enough that many requests are in flight at once; uploads are few enough for each prefix to be judged. */
const setting: HostileSetting = {
  scope: 'media',
  seed: 8,
  startsAtMs: 20_000,
  latencyMs: 60,
  tail: { share: 0.1, ms: 2_000 },
  lostBefore: 0,
  lostAfter: 0.03,
  lateShare: 0,
  staggerMs: 2,
  serverOffsetMs: 300,
  serverDriftPpm: 50,
  serverTruncates: true,
  interruption: null,
  earlierUse: 0,
  variant: 0,
  edges: { death: null, brokenBodies: 0, isHead: false },
};

type Lines = ReturnType<typeof hostileLines>;

function linesOf(service: Conforming): Lines {
  return hostileLines(setting, [service]);
}

function judged(header: Lines['header'], lines: readonly TraceLine[]) {
  return judgeTrace(assembleTrace([header, ...lines]));
}

function violatedMusts(header: Lines['header'], lines: readonly TraceLine[]): readonly string[] {
  const judgement = judged(header, lines);
  expect(clausesWith(judgement, 'crashed')).toEqual([]);
  return clausesWith(judgement, 'violated').filter((id) => findClause(id)?.level === 'must');
}

const named = conformingServices.map((service, at) => ({ at, service }));

describe('a run against a conforming service that dies', () => {
  test.each(named)('leaves no false verdict at any line (service $at)', ({ service }) => {
    const { header, lines } = linesOf(service);
    for (let length = 0; length <= lines.length; length += 1) {
      expect(violatedMusts(header, lines.slice(0, length)), `of the first ${length} lines`).toEqual([]);
    }
  });

  test.each(named)('leaves none where nothing tells what was in flight (service $at)', ({ service }) => {
    const { header, lines } = linesOf(service);
    const exchanges = lines.filter(({ kind }) => kind === 'exchange');
    for (let length = 0; length <= exchanges.length; length += 1) {
      expect(violatedMusts(header, exchanges.slice(0, length)), `of the first ${length} lines`).toEqual([]);
    }
  });

  test('keeps what had been decided before', () => {
    const { header, lines } = linesOf(conformingServices[0]!);
    const whole = judged(header, [...lines, endOf(header)]);
    expect(judged(header, lines)).toEqual(whole);
    // Nothing that a longer prefix tells takes back what a shorter one had decided.
    let held: readonly string[] = [];
    for (let length = 0; length <= lines.length; length += 1) {
      const heldNow = clausesWith(judged(header, lines.slice(0, length)), 'held');
      expect(
        held.filter((id) => !heldNow.includes(id)),
        `of the first ${length} lines`,
      ).toEqual([]);
      held = heldNow;
    }
    expect(held).toEqual(expect.arrayContaining(['limits.media', 'window.rolling', 'window.length']));
  });

  test('says why it cannot count', () => {
    const { header, lines } = linesOf(conformingServices[0]!);
    const exchanges = lines.filter(({ kind }) => kind === 'exchange');
    const { clauses } = judged(header, exchanges);
    const found = clauses.find(({ clause }) => clause === 'limits.media');
    expect(found?.verdict).toEqual({
      kind: 'inconclusive',
      reason: 'the trace has no last line and does not say what was in flight when the run died',
      because: [],
    });
  });
});

test('too many admissions are proved without what was in flight', () => {
  const unlimited = faults.find(({ name }) => name === 'unlimited')!;
  const rates = { limits: documentedLimits, windowMs: documentedWindowMs };
  const { header, lines } = linesOf({ start: () => offlineService({ ...rates, faults: [unlimited] }) });
  const exchanges = lines.filter(({ kind }) => kind === 'exchange');
  expect(violatedMusts(header, exchanges)).toContain('limits.media');
});
