import type { DriveCase } from '../case.ts';
import { delivery, stillThere } from '../delivery.ts';
import { firstCase } from './valid.ts';

const shared = { group: 'Connections', needs: 'nothing' } as const;

/**
 * Connections that are held open with a half-sent request. They fill a server that has a thread or one of few slots for
 * each.
 */
const heldConnections = 64;

/** Trouble with connections: broken, shared and occupied ones. */
export const connectionCases: readonly DriveCase[] = [
  {
    ...shared,
    id: 'connection.cut-off',
    dependsOn: [firstCase],
    level: 'must',
    title: 'a request that breaks off',
    sends: 'Half of a body, then the connection is closed; then a plain event.',
    expects: 'no 2xx for the half body; then 2xx within the budget',
    why: 'Networks break. A body that did not arrive whole cannot be verified.',
    failure: 'the part that arrived is handled, or the error of the broken connection is not caught',
    actions: [
      {
        kind: 'in-turn',
        deliveries: [delivery('half', { framing: 'cut-off', expects: 'not-accepted' }), stillThere],
      },
    ],
  },
  {
    ...shared,
    id: 'connection.reused',
    dependsOn: [firstCase],
    level: 'should',
    title: 'a valid event after a refused one',
    sends: 'A forgery, then a plain event, on the same connection where the receiver keeps it.',
    expects: '2xx within the budget for the plain event',
    why: 'Senders keep connections open. A server takes an unread body for the next request.',
    failure: 'the body of a refused request is not read: read it, or close the connection',
    actions: [
      {
        kind: 'on-one-connection',
        deliveries: [
          delivery('forged', { signature: 'by-wrong-secret', expects: 'anything' }),
          delivery('after-it'),
        ],
      },
    ],
  },
  {
    ...shared,
    id: 'connection.held',
    dependsOn: [firstCase],
    level: 'should',
    title: 'events during half-sent requests',
    sends: `${heldConnections} connections that send a request’s head byte by byte, without an end; meanwhile plain events.`,
    expects: '2xx within the budget, for each',
    why: 'Anybody can do this (slow loris), and one slow sender does it unintentionally.',
    failure: 'connections are served one after the other, or too few at once, without a time limit',
    actions: [
      { kind: 'hold', connections: heldConnections },
      { kind: 'at-once', deliveries: ['beside-1', 'beside-2', 'beside-3'].map((name) => delivery(name)) },
    ],
  },
];
