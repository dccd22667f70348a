/** What is waited for, all for equally long. */
export type Overdue<Value> = {
  /** Begins to wait for something, which is told of where it does not end in time. */
  begin(value: Value): Waited<Value>;
  /** Ends it. Whether it is in time. */
  end(one: Waited<Value>): boolean;
};

export type Waited<Value> = { readonly value: Value; readonly dueMs: number };

/**
 * Tells what has not ended after `limitMs`, by one timer for all that is waited for. It runs on while what it was set for has
 * ended long ago: to set one for each would cost more than the waiting. No process goes on for it.
 */
export function overdueAfter<Value>(limitMs: number, tell: (value: Value) => void): Overdue<Value> {
  /** In the order of their moments. */
  const waited = new Set<Waited<Value>>();
  let isTimed = false;

  const checkAfter = (ms: number): void => {
    isTimed = true;
    setTimeout(check, ms).unref();
  };

  const check = (): void => {
    isTimed = false;
    const nowMs = performance.now();
    const late: Waited<Value>[] = [];
    for (const one of waited) {
      if (one.dueMs > nowMs) {
        checkAfter(Math.ceil(one.dueMs - nowMs));
        break;
      }
      late.push(one);
    }
    for (const one of late) {
      waited.delete(one);
      tell(one.value);
    }
  };

  return {
    begin(value) {
      const one = { value, dueMs: performance.now() + limitMs };
      waited.add(one);
      if (!isTimed) checkAfter(limitMs);
      return one;
    },
    end: (one) => waited.delete(one),
  };
}
