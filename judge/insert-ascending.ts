/**
 * Puts a value into an ascending list, or into the first `length` values of one that ascend. Quick where it belongs near their end,
 * and makes nothing anew.
 */
export function insertAscending(ascending: number[], value: number, length = ascending.length): void {
  let place = length;
  for (; place > 0 && (ascending[place - 1] as number) > value; place -= 1)
    ascending[place] = ascending[place - 1] as number;
  ascending[place] = value;
}
