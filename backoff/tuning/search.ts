import type { Facts, Family, FamilyName, Parameters } from './families.ts';
import { gridOf, neighboursOf } from './grid.ts';
import { type Ranked, ranked } from './rank.ts';
import {
  type Budget,
  type Candidate,
  newTrial,
  play,
  type Seeded,
  type Situation,
  type Trial,
} from './trial.ts';

export type Search = {
  readonly families: readonly Family[];
  readonly facts: Facts;
  readonly situations: readonly Situation[];
  /** What is measured beside them, without being searched. */
  readonly rivals: readonly Candidate[];
  readonly slackShare: number;
  /** Runs of each situation on which the last comparison rests. */
  readonly runs: number;
  readonly seeded: Seeded;
};

/** How far a search has come: `done` of `of` candidates of its phase. */
export type SearchStep = { readonly phase: SearchPhase; readonly done: number; readonly of: number };

export type SearchPhase = 'trying' | 'refining' | 'comparing';

/** Few runs are enough to leave most of the grid behind; each is played further only while it may still win. */
const coarseRuns = 2;
const fineRuns = 10;
const kept = 2;
const steps = [1.5, 1.2];

/** A candidate whose runs are long is played fewer times: about a third of a second at most. */
const eventsMax = 3_000_000;
const coarseEventsMax = 1_500_000;

/**
 * Searches the families' parameters: the whole grid by a few runs, the surroundings of the best few of each family in
 * ever smaller steps, and then the best of each, and the rivals, by as many runs as figures need. Deterministic. It
 * yields after each candidate, so that a caller can show progress and breathe.
 */
export function* search(options: Search): Generator<SearchStep, readonly Ranked[]> {
  const finalists: Trial[] = [];
  const tried = options.families.map((family) => openField(family, options));
  const all = tried.flatMap(({ trials }) => [...trials.values()]);
  yield* playing('trying', all, options, { runs: coarseRuns, events: coarseEventsMax });
  for (const step of steps) {
    for (const field of tried) addNeighbours(field, options, step);
    const best = tried.flatMap((field) => bestOf([...field.trials.values()], options));
    yield* playing('refining', best, options, { runs: fineRuns, events: coarseEventsMax });
  }
  for (const { trials } of tried) finalists.push(...bestOf([...trials.values()], options));
  const rivals = options.rivals.map((rival) => newTrial(rival, options.situations));
  finalists.push(...rivals);
  yield* playing('comparing', finalists, options, { runs: options.runs, events: eventsMax });
  return ranked(finalists, options.slackShare);
}

/** The best of each family and every rival, in the order of a ranking. */
export function bestOfEachFamily(ranking: readonly Ranked[]): readonly Ranked[] {
  const seen = new Set<FamilyName>();
  return ranking.filter(({ trial: { candidate } }) => {
    if (candidate.family === null) return true;
    if (seen.has(candidate.family)) return false;
    seen.add(candidate.family);
    return true;
  });
}

type Field = { readonly family: Family; readonly trials: Map<string, Trial> };

function openField(family: Family, { facts, situations }: Search): Field {
  const field: Field = { family, trials: new Map() };
  for (const parameters of gridOf(family, facts)) add(field, parameters, { facts, situations });
  return field;
}

type Adding = { readonly facts: Facts; readonly situations: readonly Situation[] };

function add({ family, trials }: Field, parameters: Parameters, { facts, situations }: Adding): void {
  const id = JSON.stringify(parameters);
  if (trials.has(id)) return;
  const strategy = family.build(parameters, facts);
  const { name, isAsked } = family;
  const candidate = { name, family: name, isAsked, parameters, strategy };
  trials.set(id, newTrial(candidate, situations));
}

function addNeighbours(field: Field, options: Search, step: number): void {
  const played = [...field.trials.values()].filter(isPlayed);
  for (const { candidate } of bestOf(played, options)) {
    for (const parameters of neighboursOf(candidate.parameters, step)) add(field, parameters, options);
  }
}

/** The first few by rank, and whatever has not been played yet. */
function bestOf(trials: readonly Trial[], { slackShare }: Search): readonly Trial[] {
  const best = ranked(trials.filter(isPlayed), slackShare).slice(0, kept);
  return [...best.map(({ trial }) => trial), ...trials.filter((trial) => !isPlayed(trial))];
}

function isPlayed({ played }: Trial): boolean {
  return played.every((runs) => runs.length > 0);
}

function* playing(
  phase: SearchPhase,
  trials: readonly Trial[],
  { situations, seeded }: Search,
  budget: Budget,
): Generator<SearchStep, void> {
  for (const [done, trial] of trials.entries()) {
    play(trial, situations, seeded, budget);
    yield { phase, done: done + 1, of: trials.length };
  }
}
