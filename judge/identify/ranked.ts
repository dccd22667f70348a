/** A growing set of numbers that knows its n-th largest; cheap where they come nearly in ascending order. */
export type Ranked = {
  readonly add: (value: number) => void;
  /** The n-th largest, counted from 1; `null` where there are fewer. */
  readonly largest: (n: number) => number | null;
};

export function ranked(capacity: number): Ranked {
  const ascending = new Float64Array(capacity);
  let count = 0;
  return {
    add: (value) => {
      let at = count;
      while (at > 0 && (ascending[at - 1] as number) > value) at -= 1;
      ascending.copyWithin(at + 1, at, count);
      ascending[at] = value;
      count += 1;
    },
    largest: (n) => (n > count ? null : (ascending[count - n] as number)),
  };
}
