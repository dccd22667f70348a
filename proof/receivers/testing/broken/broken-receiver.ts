import type { Behaviour } from '../receiver.ts';

/** A receiver with one defect. */
export type BrokenReceiver = {
  readonly name: string;
  /** The cases that catch it; every other one passes, or is open because of these. */
  readonly fails: readonly string[];
  readonly behaviour: () => Partial<Behaviour>;
  /** There where the defect is slowness: an answer has less time, and a burst more events. */
  readonly pace?: 'hurried';
};
