/** So few rounds make a median. */
const roundsMin = 3;

/**
 * Measures several things in turn, A B A B …, so that all see the same machine, until each has been measured for so many
 * seconds by the clock.
 * @returns the figures of each, one a round.
 */
export async function inTurns<Name extends string>(
  secondsEach: number,
  measured: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(measured) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  const spentMs = new Map(names.map((name) => [name, 0]));
  const isShort = (): boolean => [...spentMs.values()].some((ms) => ms < secondsEach * 1_000);
  for (let round = 0; round < roundsMin || isShort(); round += 1) {
    for (const name of names) {
      const began = performance.now();
      figures[name].push(await measured[name]());
      spentMs.set(name, (spentMs.get(name) ?? 0) + performance.now() - began);
    }
  }
  return figures;
}
