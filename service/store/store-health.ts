/** Which connections to a store work, so that an outage of the store is reported once, and its end once. */
export type StoreHealth = {
  failed(connection: number, reason: string): void;
  works(connection: number): void;
};

/**
 * @param name the store's, as a person may read it: without a password.
 * @param tell called with one sentence when the first connection fails, and with one when all that failed work again.
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
