/**
 * Positions in the order of their moments, those of one moment as they stood: the same list, sorted. Those that are nearly in that
 * order already are put in their places one by one.
 */
export function byMoment(positions: Uint32Array, moments: Float64Array): Uint32Array {
  let moves = movesEach * positions.length;
  for (let from = 1; from < positions.length; from += 1) {
    const position = positions[from] as number;
    const moment = moments[position] as number;
    let at = from;
    for (; at > 0 && (moments[positions[at - 1] as number] as number) > moment; at -= 1)
      positions[at] = positions[at - 1] as number;
    positions[at] = position;
    moves -= from - at;
    if (moves < 0)
      return positions.sort(
        (left, right) => (moments[left] as number) - (moments[right] as number) || left - right,
      );
  }
  return positions;
}

/** So many places to the front on average are less than sorting takes. */
const movesEach = 16;
