/** What a history tells never changes, and several judges ask the same of it: it is worked out once. */
export function once<Asked extends object, Answer extends object | boolean | number>(
  workOut: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  const known = new WeakMap<Asked, Answer>();
  return (asked) => {
    const before = known.get(asked);
    if (before !== undefined) return before;
    const answer = workOut(asked);
    known.set(asked, answer);
    return answer;
  };
}

/**
 * The same where one thing after another is asked about, and an answer takes much memory: those to the last two that were asked about
 * are kept.
 */
export function onceInTurn<Asked extends object, Answer extends object>(
  workOut: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  let [last, other] = [new WeakMap<Asked, Answer>(), new WeakMap<Asked, Answer>()];
  return (asked) => {
    const known = last.get(asked);
    if (known !== undefined) return known;
    const answer = other.get(asked) ?? workOut(asked);
    [last, other] = [new WeakMap([[asked, answer]]), last];
    return answer;
  };
}
