/** What two things tell together never changes, and is asked several times: it is worked out once for each two. */
export function onceForBoth<One extends object, Other, Answer>(
  workOut: (one: One, other: Other) => Answer,
): (one: One, other: Other) => Answer {
  const known = new WeakMap<One, Map<Other, Answer>>();
  return (one, other) => {
    const ofOne = known.get(one) ?? new Map<Other, Answer>();
    known.set(one, ofOne);
    const before = ofOne.get(other);
    if (before !== undefined) return before;
    const answer = workOut(one, other);
    ofOne.set(other, answer);
    return answer;
  };
}
