/**
 * Does at the end of a turn of the event loop what was asked for in it, in that order. To write an answer is most of what a
 * request takes, and wakes its client: where others are read and decided between two writes, whoever waits for them goes to
 * sleep and has to be woken for each.
 */
export function atEndOfTurn(): (step: () => void) => void {
  let steps: (() => void)[] = [];
  const end = (): void => {
    const all = steps;
    steps = [];
    for (const step of all) step();
  };
  return (step) => {
    if (steps.push(step) === 1) setImmediate(end);
  };
}
