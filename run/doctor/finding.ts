/** How good a thing is for a run: `bad` stands in the way of a verdict, `note` is worth knowing. */
export type State = 'good' | 'note' | 'bad';

/** One thing that was looked at, and what is the case. */
export type Finding = {
  readonly state: State;
  /** What was looked at, in two or three words. */
  readonly about: string;
  readonly text: string;
};

export function finding(state: State, about: string, text: string): Finding {
  return { state, about, text };
}
