import type { Deployment } from '../contract/deployment.ts';
import type { LimitPromise } from '../contract/document/further-limit.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Blame, OtherGroups } from './blame.ts';
import type { ClockSteps } from './clock-steps.ts';
import type { Group } from './entries.ts';
import type { Lengths, Reading } from './lengths.ts';

/**
 * What the admissions and refusals of one group prove, with the blame placed once: on the one clause that a deviation
 * is about, so that a wrong limit is not reported again as a wrong window.
 */
export type Attribution =
  | { readonly kind: 'explained'; readonly granularity: Granularity }
  | { readonly kind: 'capped'; readonly perSecond: number }
  | Blame
  /** The deviation of other groups explains this one: their clause answers for it. */
  | { readonly kind: 'follows'; readonly clause: 'window.rolling' | 'limits.messages-subpaths' }
  | { readonly kind: 'unsure'; readonly reason: string };

/** Whether only counting in whole seconds, or in parts of one, explains the refusals; and whether a clock may have made it so. */
export type Granularity = 'none' | 'shown' | 'across-step';

export type Analysis = {
  readonly group: Group;
  /** What the document promises of its scope. */
  readonly promise: LimitPromise;
  readonly attribution: Attribution;
  /** Readings of rejections that the trace has not refuted; both where nothing fits. */
  readonly readings: readonly Reading[];
  /** Lengths of window that explain every admission and 429; `null` where none do, or nothing bounds them. */
  readonly measured: Lengths | null;
  /** Refusals late enough to be judged. */
  readonly judgedRefusals: number;
  /** Nobody else uses the key, by the settings; else no refusal can be judged. */
  readonly isSoleUser: boolean;
  /** There may be a cap per second on top, by settings and trace; then `Remaining` may be what remains of the second. */
  readonly capStands: boolean;
  /** What kinds of cap the trace leaves then, as people name them. */
  readonly capsLeft: readonly string[];
  /** Refusals that such a cap may explain. */
  readonly mayBeCapped: readonly Exchange[];
};

export type Setting = OtherGroups & { readonly deployment: Deployment; readonly stepped: ClockSteps };
