/** What two things tell together never changes, and is asked several times: it is worked out once for each two. */
export function onceForBoth<One extends object, Other, Answer>(
  workOut: (one: One, other: Other) => Answer,
): (one: One, other: Other) => Answer {
  const known = new WeakMap<One, Map<Other, Answer>>();
  return (one, other) => {
    const before = known.get(one)?.get(other);
    if (before !== undefined) return before;
    const answer = workOut(one, other);
    // Only now: working it out may have asked the same.
    const ofOne = known.get(one);
    if (ofOne === undefined) known.set(one, new Map([[other, answer]]));
    else ofOne.set(other, answer);
    return answer;
  };
}
