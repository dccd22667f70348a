/** Puts a value into an ascending list. Quick where it belongs near the end, and makes nothing anew. */
export function insertAscending(ascending: number[], value: number): void {
  let place = ascending.length;
  for (; place > 0 && (ascending[place - 1] as number) > value; place -= 1)
    ascending[place] = ascending[place - 1] as number;
  ascending[place] = value;
}
