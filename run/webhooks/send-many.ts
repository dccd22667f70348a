export type SendMany<Item, Answer> = {
  readonly items: Iterable<Item>;
  /** Items begun in a second, whether or not earlier ones were answered; `null` waits for each answer. */
  readonly perSecond: number | null;
  readonly send: (item: Item) => Promise<Answer>;
  /** Called in the order of the answers. */
  readonly onAnswer: (item: Item, answer: Answer) => void;
  readonly nowMs: () => number;
  /** Waits until a moment of that clock, or until the signal aborts. */
  readonly until: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
};

/** Items that are under way, at most: a receiver that answers nothing must not cost connections without end. */
const underWayMax = 256;

/** Sends one thing after the other, or so many a second; ends early where the signal says so. */
export async function sendMany<Item, Answer>(options: SendMany<Item, Answer>): Promise<void> {
  const { items, perSecond, send, onAnswer, nowMs, until, signal } = options;
  const underWay = new Set<Promise<void>>();
  const startMs = nowMs();
  let begun = 0;
  for (const item of items) {
    if (perSecond !== null) await until(startMs + (begun * 1_000) / perSecond);
    if (signal.aborted) break;
    begun += 1;
    const going: Promise<void> = send(item).then((answer) => {
      underWay.delete(going);
      onAnswer(item, answer);
    });
    underWay.add(going);
    if (underWay.size >= (perSecond === null ? 1 : underWayMax)) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}
