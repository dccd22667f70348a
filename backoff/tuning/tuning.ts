import { lowerBoundMs } from '../simulation/lower-bound.ts';
import { todaysStrategies } from '../strategies.ts';
import { type Client, isIdempotent, situationsOf } from './client.ts';
import { familiesFor } from './families.ts';
import type { Ranked } from './rank.ts';
import { type SearchStep, search } from './search.ts';
import type { Candidate, Seeded, Situation } from './trial.ts';

/** The result of tuning a client. */
export type Tuning = {
  readonly client: Client;
  readonly situations: readonly (Situation & { readonly boundSeconds: number })[];
  /** Everything that was compared to the end, the best first. */
  readonly ranking: readonly Ranked[];
  readonly recommended: Ranked;
  /** The best that a library's options allow: a wait after a 429, without holding requests back before it. */
  readonly forLibraries: Ranked;
};

/** The one family that libraries' options can be made to follow. */
const libraryFamily = 'retry-after + jitter';

export type TuneOptions = {
  readonly seeded: Seeded;
  readonly onStep: (step: SearchStep) => void;
  /** Lets others have a turn: the display draws, an interrupt is heard. */
  readonly breathe: () => Promise<void>;
};

/** Searches what a client should do, a few seconds long. */
export async function tune(client: Client, { seeded, onStep, breathe }: TuneOptions): Promise<Tuning> {
  const situations = situationsOf(client);
  const searching = search({
    families: familiesFor(client.knows, client),
    facts: client,
    situations,
    rivals: rivalsOf(client),
    slackShare: client.slackShare,
    runs: client.runs,
    seeded,
  });
  for (;;) {
    const next = searching.next();
    if (next.done === true) {
      return {
        client,
        situations: situations.map((one) => ({ ...one, boundSeconds: lowerBoundMs(one.setting) / 1_000 })),
        ranking: next.value,
        recommended: best(next.value, () => true),
        forLibraries: best(next.value, ({ family }) => family === libraryFamily),
      };
    }
    onStep(next.value);
    await breathe();
  }
}

/** The first that does what the document asks of clients; the first at all where nothing does. */
function best(ranking: readonly Ranked[], suits: (candidate: Candidate) => boolean): Ranked {
  const suited = ranking.filter(({ trial }) => trial.candidate.family !== null && suits(trial.candidate));
  const [first] = suited;
  if (first === undefined) throw new Error('a search that compared nothing of ours');
  return first;
}

function rivalsOf(client: Client): readonly Candidate[] {
  const today = todaysStrategies({ isIdempotent: isIdempotent(client) });
  return client.today.map((name) => ({
    name,
    family: null,
    isAsked: false,
    parameters: {},
    strategy: today[name],
  }));
}
