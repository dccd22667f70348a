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

/** Windows, and what those explain that may have been. */
type Explaining = {
  readonly windows: readonly Window[];
  /** By the place of each that may have been, ascending: the refusals that it explains. */
  readonly explained: ReadonlyMap<number, ReadonlySet<number>>;
};

/** So many steps from one window to the next are tried at most; where there are more, they count as possible. */
const stepsMax = 20_000;

/** Whether windows that may have followed each other explain all of some refusals, each of which one of them explains. */
export function isOneRow(judged: readonly number[], { windows, explained }: Explaining): boolean {
  const lastOf = new Map(
    [...explained].flatMap(([place, own]) => [...own].map((at) => [at, place] as const)),
  );
  const isLost = (at: number, place: number): boolean => (lastOf.get(at) as number) <= place;
  const failed = new Set<string>();
  let steps = 0;
  const isFrom = (place: number, open: readonly number[]): boolean => {
    const own = explained.get(place);
    if (own === undefined) return false;
    const left = open.filter((at) => !own.has(at));
    if (left.length === 0) return true;
    if (left.some((at) => isLost(at, place))) return false;
    const state = `${place}: ${left.join()}`;
    if (failed.has(state)) return false;
    steps += 1;
    if (steps > stepsMax || (windows[place] as Window).next.some((later) => isFrom(later, left))) return true;
    failed.add(state);
    return false;
  };
  return isFrom(0, judged);
}
