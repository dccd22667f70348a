/**
 * Hands on at the end of a turn of the event loop what was given in it, in the order in which it was given. To write an answer
 * is most of what a request takes, and wakes its client: where others are read and decided between two writes, whoever waits
 * for them goes to sleep and has to be woken for each.
 */
export function atEndOfTurn<Value>(handOn: (value: Value) => void): (value: Value) => void {
  let given: Value[] = [];
  const end = (): void => {
    const all = given;
    given = [];
    for (const value of all) handOn(value);
  };
  return (value) => {
    if (given.push(value) === 1) setImmediate(end);
  };
}
