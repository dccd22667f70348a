import TinyQueue from 'tinyqueue';

/** A priority queue of things that happen at a time; equal times leave in the order in which they came. */
export type EventQueue<Event> = {
  readonly push: (atMs: number, event: Event) => void;
  /** The earliest event and its time; `null` when nothing is left. */
  readonly pop: () => { readonly atMs: number; readonly event: Event } | null;
};

type Queued<Event> = { readonly atMs: number; readonly order: number; readonly event: Event };

/** An empty queue. */
export function eventQueue<Event>(): EventQueue<Event> {
  const queue = new TinyQueue<Queued<Event>>([], sooner);
  let pushed = 0;
  return {
    push: (atMs, event) => {
      queue.push({ atMs, order: pushed, event });
      pushed += 1;
    },
    pop: () => queue.pop() ?? null,
  };
}

/** No two are equal, so that a run depends on its seed alone, not on how the heap is built. */
function sooner(left: Queued<unknown>, right: Queued<unknown>): number {
  return left.atMs - right.atMs || left.order - right.order;
}
