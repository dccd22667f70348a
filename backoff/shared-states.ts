import type { Strategy } from './strategy.ts';

/** The states of a strategy, by group of those who share one, and where each client belongs. */
export type SharedStates = {
  readonly states: unknown[];
  /** By client: its group, and which of its group it is. */
  readonly groupOf: Int32Array;
  readonly memberOf: Int32Array;
};

type Among = { readonly clients: number; readonly processes: number };

/** New states for all clients, who are dealt out to processes in turn, and with them to those who share a state. */
export function sharedStates(strategy: Strategy<unknown>, { clients, processes }: Among): SharedStates {
  const groups = groupsOf(strategy, { clients, processes });
  const states = Array.from({ length: groups }, (_, group) =>
    strategy.start({
      process: strategy.sharedBy === 'process' ? group : group % processes,
      processes,
      clients: Math.ceil((clients - group) / groups),
    }),
  );
  return {
    states,
    groupOf: Int32Array.from({ length: clients }, (_, client) => client % groups),
    memberOf: Int32Array.from({ length: clients }, (_, client) => Math.floor(client / groups)),
  };
}

/** The client that is this member of a group. */
export function clientIn({ states }: SharedStates, group: number, member: number): number {
  return member * states.length + group;
}

function groupsOf({ sharedBy }: Strategy<unknown>, { clients, processes }: Among): number {
  switch (sharedBy) {
    case 'key':
      return 1;
    case 'process':
      return Math.min(processes, clients);
    case 'client':
    case 'request':
      return clients;
    default:
      return sharedBy satisfies never;
  }
}
