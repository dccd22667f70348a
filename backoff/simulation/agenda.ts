/**
 * When each client does something next: every client has exactly one thing before it, so that the one who did the
 * earliest is given its next moment in place, and nothing is ever allocated. A binary heap in two typed arrays; of
 * equal moments the lower client comes first.
 */
export type Agenda = { readonly atMs: Float64Array; readonly client: Int32Array };

/** All clients, at moments in ascending order of client. */
export function agendaFrom(startMs: (client: number) => number, clients: number): Agenda {
  const agenda = { atMs: new Float64Array(clients), client: new Int32Array(clients) };
  for (let client = 0; client < clients; client += 1) {
    agenda.client[client] = client;
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

/** Gives the client who is next a later moment; `Infinity` where it has nothing left to do. */
export function reschedule(agenda: Agenda, momentMs: number): void {
  agenda.atMs[0] = momentMs;
  settle(agenda, 0);
}

function settle({ atMs, client }: Agenda, from: number): void {
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
    atMs[hole] = childMs;
    client[hole] = client[child] as number;
    hole = child;
  }
  atMs[hole] = movedMs;
  client[hole] = moved;
}
