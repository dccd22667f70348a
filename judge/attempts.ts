/** What several computations gave, and a sentence for each that threw. */
export type Attempts<Value> = { readonly made: readonly Value[]; readonly failures: readonly string[] };

/**
 * Makes something of each item by itself, so that a mistake of ours in one costs no other, and no verdict.
 * @param failed begins the sentence about an item that could not be made: "the picture of key A could not be drawn".
 */
export function attemptEach<Item, Value>(
  items: readonly Item[],
  make: (item: Item, at: number) => readonly Value[],
  failed: (item: Item) => string,
): Attempts<Value> {
  const failures: string[] = [];
  const made = items.flatMap((item, at) => {
    try {
      return make(item, at);
    } catch (error) {
      failures.push(
        `${failed(item)} (${String(error)}): a mistake of this tool, which no verdict depends on`,
      );
      return [];
    }
  });
  return { made, failures };
}
