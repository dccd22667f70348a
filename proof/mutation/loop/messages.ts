/** The channel between Stryker's process and the thread that holds the loaded tests. */
export const channelName = 'mutants';

/** One mutant to be tried by these tests. */
export type Attempt = {
  readonly mutant: string;
  /** `hitsMax`: how often the test may pass the mutated place before the mutant counts as endless. */
  readonly tests: readonly { readonly id: string; readonly hitsMax: number }[];
};

export type Outcome =
  | { readonly kind: 'survived'; readonly testsRun: number }
  | { readonly kind: 'killed'; readonly by: string; readonly message: string; readonly testsRun: number }
  | { readonly kind: 'endless' }
  /** A test failed without the mutant too, or is not loaded: the fresh start of Vitest has to decide. */
  | { readonly kind: 'unclear'; readonly reason: string };

export type Loaded = { readonly kind: 'loaded'; readonly tests: number };
