/**
 * A total shared out among wishes: who wishes for less than an even share gets all of it, and the others share what that
 * leaves. Nobody gets more than the wish, and all together no more than the total.
 */
export function sharedOut(total: number, wishes: readonly number[]): readonly number[] {
  const smallestFirst = wishes
    .map((_, at) => at)
    .sort((left, right) => (wishes[left] ?? 0) - (wishes[right] ?? 0));
  const shares = wishes.map(() => 0);
  let left = total;
  smallestFirst.forEach((at, done) => {
    const share = Math.min(wishes[at] ?? 0, Math.floor(left / (wishes.length - done)));
    shares[at] = share;
    left -= share;
  });
  return shares;
}
