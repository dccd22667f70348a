/** One figure of a benchmark, beside that of a peer taken in the same run. */
export type Measure = {
  readonly measured: string;
  /** With its unit. */
  readonly ours: string;
  readonly peer?: string;
  /** Ours by the peer's, from figures of the same unit. */
  readonly ratio?: number;
  /** What was promised of it. */
  readonly bar?: { readonly text: string; readonly isMet: boolean };
};

/** A benchmark: what it compares, and a run of it, which tells its progress line by line. */
export type Bench = {
  readonly name: string;
  readonly about: string;
  readonly run: (say: (line: string) => void) => Promise<readonly Measure[]>;
};
