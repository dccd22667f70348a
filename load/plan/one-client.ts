/** Waves of one client, on one key unless others are named, with no connection opened ahead. */
export const oneClient = {
  kind: 'waves',
  keys: { first: 0, count: 1 },
  nodes: 'in-turn',
  origin: 'start',
  vus: 1,
  warmUp: 0,
} as const;
