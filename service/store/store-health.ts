/** Which of the connections to a store work, so that one outage of the store is told once, and its end once. */
export type StoreHealth = {
  failed(connection: number, reason: string): void;
  works(connection: number): void;
};

/**
 * @param name the store's, as a person may read it: without a password.
 * @param tell gets one sentence when the first connection fails, and one when the last of those that failed works again.
 */
export function createStoreHealth(name: string, tell: (sentence: string) => void): StoreHealth {
  const failing = new Set<number>();
  return {
    failed(connection, reason) {
      if (failing.size === 0) {
        tell(`${name} does not answer (${reason}): requests are answered 503 until it does.`);
      }
      failing.add(connection);
    },
    works(connection) {
      if (failing.delete(connection) && failing.size === 0) tell(`${name} answers again.`);
    },
  };
}
