/** Those of a list that are so; the list itself where all are, since of a million exchanges a copy takes 8 MB. */
export function those<One>(list: readonly One[], isSo: (one: One) => boolean): readonly One[] {
  const first = list.findIndex((one) => !isSo(one));
  if (first === -1) return list;
  return [...list.slice(0, first), ...list.slice(first + 1).filter(isSo)];
}
