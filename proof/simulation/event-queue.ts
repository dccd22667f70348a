/** A priority queue of things that happen at a time; equal times leave in the order in which they came. */
export type EventQueue<Event> = {
  readonly push: (atMs: number, event: Event) => void;
  /** The earliest event and its time; `null` when nothing is left. */
  readonly pop: () => { readonly atMs: number; readonly event: Event } | null;
};

type Queued<Event> = { readonly atMs: number; readonly order: number; readonly event: Event };

export function eventQueue<Event>(): EventQueue<Event> {
  const heap: Queued<Event>[] = [];
  let pushed = 0;
  return {
    push: (atMs, event) => {
      heap.push({ atMs, order: pushed, event });
      pushed += 1;
      siftUp(heap);
    },
    pop: () => {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined) return null;
      if (first !== last) {
        heap[0] = last;
        siftDown(heap);
      }
      return first;
    },
  };
}

function isBefore<Event>(left: Queued<Event>, right: Queued<Event>): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order);
}

function siftUp<Event>(heap: Queued<Event>[]): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(heap[at] as Queued<Event>, heap[parent] as Queued<Event>)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown<Event>(heap: Queued<Event>[]): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const hasRight = right < heap.length;
    const least =
      hasRight && isBefore(heap[right] as Queued<Event>, heap[left] as Queued<Event>) ? right : left;
    if (!isBefore(heap[least] as Queued<Event>, heap[at] as Queued<Event>)) return;
    swap(heap, at, least);
    at = least;
  }
}

function swap<Item>(items: Item[], left: number, right: number): void {
  const kept = items[left] as Item;
  items[left] = items[right] as Item;
  items[right] = kept;
}
