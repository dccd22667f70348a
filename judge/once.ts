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

/** The same where one thing after another is asked about, and an answer takes much memory: the last one alone is kept. */
export function onceInTurn<Asked extends object, Answer extends object>(
  workOut: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  let last = new WeakMap<Asked, Answer>();
  return (asked) => {
    const before = last.get(asked);
    if (before !== undefined) return before;
    const answer = workOut(asked);
    last = new WeakMap([[asked, answer]]);
    return answer;
  };
}
