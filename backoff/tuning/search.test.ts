import { describe, expect, it } from 'vitest';
import { windowMirror } from '../strategies/window-mirror.ts';
import { erased, todaysStrategies } from '../strategies.ts';
import { drawn, settingOf } from '../testing/settings.ts';
import { type Facts, familiesFor, type Knowledge } from './families.ts';
import { bestOfEachFamily, type Search, type SearchStep, search } from './search.ts';
import { type Candidate, newTrial, play, type Situation } from './trial.ts';

const rate = { limit: 30, windowMs: 60_000 };
const facts: Facts = { rate, clients: 6, processes: 1 };
const situations: readonly Situation[] = (['cold', 'warm'] as const).map((name) => ({
  name,
  setting: settingOf({ rate, clients: facts.clients, jobs: 120, opening: name }),
}));
const fullJitter: Candidate = {
  name: 'full-jitter',
  family: null,
  isAsked: false,
  parameters: {},
  strategy: todaysStrategies({ isIdempotent: true })['full-jitter'],
};

function searched(knowledge: Knowledge, changed: Partial<Search> = {}) {
  const families = familiesFor(knowledge, { processes: 1, hasStore: false });
  const common = { families, facts, situations, rivals: [fullJitter], slackShare: 0.015, runs: 20 };
  const steps: SearchStep[] = [];
  const going = search({ ...common, seeded: drawn, ...changed });
  for (;;) {
    const next = going.next();
    if (next.done === true) return { ranking: next.value, steps };
    steps.push(next.value);
  }
}

describe('search', () => {
  it('finds, for a client that knows retry_after_seconds alone, what beats full jitter in time and in 429s', () => {
    const { ranking } = searched('retry-after');
    const [best] = ranking;
    const today = ranking.find(({ trial }) => trial.candidate === fullJitter);
    expect(best?.standing).toBe('good');
    expect(today?.standing).toBe('early');
    best?.figures.forEach((figures, at) => {
      expect(figures.overBound.high).toBeLessThan(today?.figures[at]?.overBound.low ?? 0);
      expect(figures.wasted.high).toBeLessThan(today?.figures[at]?.wasted.low ?? 0);
      expect([figures.early, figures.lostJobs]).toEqual([0, 0]);
    });
  });

  it('finds the window mirror for a client that knows the limit', () => {
    const [best] = searched('limit').ranking;
    expect(best?.trial.candidate.family).toBe('window mirror');
  });

  it('says how far it has come, phase by phase, each to its end', () => {
    const { steps } = searched('retry-after', { runs: 3 });
    expect([...new Set(steps.map(({ phase }) => phase))]).toEqual(['trying', 'refining', 'comparing']);
    expect(steps.at(-1)).toEqual({ phase: 'comparing', done: steps.at(-1)?.of, of: steps.at(-1)?.of });
  });

  it('names each family once, at its best, and every rival', () => {
    const named = bestOfEachFamily(searched('headers', { runs: 3 }).ranking);
    const families = named.map(({ trial }) => trial.candidate.name);
    expect(new Set(families).size).toBe(families.length);
    expect(families).toContain('full-jitter');
    expect(families).toContain('header gate');
  });
});

describe('a trial', () => {
  const strategy = erased(windowMirror({ ...rate, sharedBy: 'key' }));
  const mirror: Candidate = { ...fullJitter, name: 'mirror', strategy };

  it('is played on from where it was, never over again', () => {
    const once = newTrial(mirror, situations);
    play(once, situations, drawn, { runs: 6, events: 1e9 });
    const twice = newTrial(mirror, situations);
    play(twice, situations, drawn, { runs: 2, events: 1e9 });
    play(twice, situations, drawn, { runs: 6, events: 1e9 });
    expect(twice.played).toEqual(once.played);
  });

  it('ends with its budget of events, but not before three runs', () => {
    const trial = newTrial(mirror, situations);
    play(trial, situations, drawn, { runs: 50, events: 1 });
    expect(trial.played.map((runs) => runs.length)).toEqual([3, 3]);
  });
});
