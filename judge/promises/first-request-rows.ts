import type { Window } from '../identify/first-request-windows.ts';

/** The places of the windows that none that is too full came before, themselves not so either, ascending. */
export function reachedOf(
  windows: readonly Window[],
  isTooFull: (window: Window) => boolean,
): readonly number[] {
  const isReached = windows.map((_, place) => place === 0);
  return windows.flatMap((window, place) => {
    if (isReached[place] !== true || isTooFull(window)) return [];
    for (const next of window.next) isReached[next] = true;
    return [place];
  });
}

/** Windows that may have followed each other, and what they explain. */
type Explaining = {
  readonly windows: readonly Window[];
  /** The places of those that may have been. */
  readonly reached: readonly number[];
  /** By the place of each of these: the refusals that it explains. */
  readonly explained: ReadonlyMap<number, ReadonlySet<number>>;
};

/** So many are looked at, at most, one after another; where there are more, they count as possible. */
const stepsMax = 20_000;

/** Whether windows that may have followed each other explain each of some refusals, which ascend. */
export function isOneRow(judged: readonly number[], { windows, reached, explained }: Explaining): boolean {
  const lastOf = new Map<number, number>();
  /** By place: the last refusal that it or one before it explains. Those after it are open there, whatever came before. */
  const touched = new Map<number, number>();
  let latest = -1;
  for (const place of reached) {
    for (const at of explained.get(place) ?? []) {
      lastOf.set(at, place);
      latest = Math.max(latest, at);
    }
    touched.set(place, latest);
  }
  const failed = new Set<string>();
  let steps = 0;
  const isFrom = (place: number, open: readonly number[]): boolean => {
    const own = explained.get(place);
    if (own === undefined) return false;
    const left = open.filter((at) => !own.has(at));
    if (left.length === 0) return true;
    if (left.some((at) => (lastOf.get(at) ?? -1) <= place)) return false;
    const until = touched.get(place) as number;
    const state = `${place}: ${left.filter((at) => at <= until).join()}`;
    if (failed.has(state)) return false;
    steps += 1;
    if (steps > stepsMax || (windows[place] as Window).next.some((later) => isFrom(later, left))) return true;
    failed.add(state);
    return false;
  };
  return isFrom(0, judged);
}
