/** Why nothing is said of keys that share a window where a run sends none. */
export const noKeySent = 'requests carry no key';

/**
 * Said where requests are not counted by key: all keys of a run have one window in each such scope.
 * @param countedBy by what they are counted: "account", or in a document with scopes of both "account or address".
 */
export function sharedClause(countedBy: string) {
  return {
    id: 'limits.shared',
    section: 'Limits',
    level: 'must',
    title: `counted by ${countedBy}, not by key`,
    requirement: `All keys of one ${countedBy} share the window of each scope: one that is full is full for all of them.`,
    judged:
      'While one key has filled a window, another one asks. Held where it is refused although its own requests explain no ' +
      '429; violated where each key alone keeps the limit, and all of them together exceed it.',
    violation: 'More admitted to several keys together than the limit allows, and to none of them alone.',
    needs: 'second-key',
    dependsOn: [],
  } as const;
}
