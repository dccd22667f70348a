/**
 * When each client does something next: every client has exactly one thing before it, so that it is given its next
 * moment in place, and nothing is ever allocated. A binary heap in two typed arrays, and where in it each client is; of
 * equal moments the lower client comes first.
 */
export type Agenda = {
  readonly atMs: Float64Array;
  readonly client: Int32Array;
  readonly placeOf: Int32Array;
};

/** All clients, at moments in ascending order of client. */
export function agendaFrom(startMs: (client: number) => number, clients: number): Agenda {
  const agenda = {
    atMs: new Float64Array(clients),
    client: new Int32Array(clients),
    placeOf: new Int32Array(clients),
  };
  for (let client = 0; client < clients; client += 1) {
    agenda.client[client] = client;
    agenda.placeOf[client] = client;
    agenda.atMs[client] = startMs(client);
  }
  for (let at = (clients >> 1) - 1; at >= 0; at -= 1) settle(agenda, at);
  return agenda;
}

/** Who is next. */
export function nextClient({ client }: Agenda): number {
  return client[0] ?? 0;
}

/** When that is; `Infinity` where nobody has anything left to do. */
export function nextMs({ atMs }: Agenda): number {
  return atMs[0] ?? Number.POSITIVE_INFINITY;
}

/** Gives a client a moment no earlier than the one that is next; `Infinity` where it has nothing to do. */
export function reschedule(agenda: Agenda, client: number, momentMs: number): void {
  const place = agenda.placeOf[client] as number;
  const isSooner = momentMs < (agenda.atMs[place] as number);
  agenda.atMs[place] = momentMs;
  if (isSooner) rise(agenda, place);
  else settle(agenda, place);
}

function rise({ atMs, client, placeOf }: Agenda, from: number): void {
  const movedMs = atMs[from] as number;
  const moved = client[from] as number;
  let hole = from;
  while (hole > 0) {
    const parent = (hole - 1) >> 1;
    const parentMs = atMs[parent] as number;
    const above = client[parent] as number;
    if (parentMs < movedMs || (parentMs === movedMs && above < moved)) break;
    atMs[hole] = parentMs;
    client[hole] = above;
    placeOf[above] = hole;
    hole = parent;
  }
  atMs[hole] = movedMs;
  client[hole] = moved;
  placeOf[moved] = hole;
}

function settle({ atMs, client, placeOf }: Agenda, from: number): void {
  const count = atMs.length;
  const movedMs = atMs[from] as number;
  const moved = client[from] as number;
  let hole = from;
  for (;;) {
    let child = 2 * hole + 1;
    if (child >= count) break;
    let childMs = atMs[child] as number;
    const right = child + 1;
    if (right < count) {
      const rightMs = atMs[right] as number;
      if (
        rightMs < childMs ||
        (rightMs === childMs && (client[right] as number) < (client[child] as number))
      ) {
        child = right;
        childMs = rightMs;
      }
    }
    if (movedMs < childMs || (movedMs === childMs && moved < (client[child] as number))) break;
    const below = client[child] as number;
    atMs[hole] = childMs;
    client[hole] = below;
    placeOf[below] = hole;
    hole = child;
  }
  atMs[hole] = movedMs;
  client[hole] = moved;
  placeOf[moved] = hole;
}
