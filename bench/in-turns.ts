/** So few rounds make a median. */
const roundsMin = 3;

/**
 * Measures several things in turn, A B A B …, so that all see the same machine, until each has been measured for so many
 * seconds by the clock. What is over quickly is measured several times in its turn, until it has taken as long as the others.
 * @returns the figures of each.
 */
export async function inTurns<Name extends string>(
  secondsEach: number,
  measured: Readonly<Record<Name, () => number | Promise<number>>>,
  nowMs: () => number = () => performance.now(),
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(measured) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  const spentMs = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  const all = (): readonly number[] => Object.values(spentMs);
  for (let round = 0; round < roundsMin || Math.min(...all()) < secondsEach * 1_000; round += 1) {
    for (const name of names) {
      do {
        const began = nowMs();
        figures[name].push(await measured[name]());
        spentMs[name] += nowMs() - began;
      } while (spentMs[name] < Math.max(...all()));
    }
  }
  return figures;
}
