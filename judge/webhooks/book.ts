import {
  type GroupRoom,
  groupRoom,
  groupsOf,
  isSameKey,
  type KeyedPlaces,
  longGroupsOf,
  placesOf,
  setKey,
  textKeys,
} from '../../contract/text-groups.ts';
import { answersGiven, type Delivery } from '../../contract/webhooks/trace.ts';
import type { Arrival, Envelope } from './arrival.ts';
import { laterTimes, timesInARow } from './later-times.ts';

/**
 * The little that is kept of each webhook that came whole, 32 bytes: what is said of events that came again, and of
 * their order, needs all of them. `at` is a position among these webhooks. Texts are compared by their keys.
 */
export type Book = {
  /** How many it may hold. */
  readonly room: number;
  readonly add: (arrival: Arrival) => void;
  readonly size: () => number;
  /** `none` too where the sender had gone before it had any. */
  readonly answer: (at: number) => Delivery['answer'];
  readonly arrivedMs: (at: number) => number;
  /** When the sender had its answer; without one, when it had sent all. */
  readonly settledMs: (at: number) => number;
  /** Whether the answer had been handed to the connection. */
  readonly isAnswered: (at: number) => boolean;
  /** Which were answered 2xx at once, by an answer that the sender has surely read. */
  readonly acknowledged: () => (at: number) => boolean;
  /** The event's name; `null` where it is no event. */
  readonly event: (at: number) => string | null;
  /** Whether it is an event with the id of a message. */
  readonly isIdentified: (at: number) => boolean;
  readonly isSameText: (one: number, other: number) => boolean;
  readonly isSameEvent: (one: number, other: number) => boolean;
  /** Positions of one text, one `message_id`, one event: groups in the order of their first positions. */
  readonly byText: (has: (at: number) => boolean) => Iterable<readonly number[]>;
  readonly byMessage: (has: (at: number) => boolean) => Iterable<readonly number[]>;
  /** One event is one kind and message; the same text where there is no `message_id`. */
  readonly byEvent: () => Iterable<readonly number[]>;
  /** Positions with the same key of another kind. Groups of one kind alone are looked for at a time. */
  readonly byKey: (places: KeyedPlaces) => Iterable<readonly number[]>;
  /** Gives its memory back at once: what comes next may take as much. */
  readonly close: () => void;
};

/** Answered 2xx within this time is answered at once: no time-out of a sender is shorter. */
const atOnceMs = 1_000;

/** Names of events that are told apart; the document has five. */
const namesMax = 60_000;

const flags = { identified: 1, answered: 2, acceptedAtOnce: 4, acknowledged: 8 } as const;

/** A book with room for so many. */
export function openBook(room: number): Book {
  const columns = emptyColumns(room);
  const { texts, messages, arrivedMs, settledMs, answers, flagged, kinds } = columns;
  const names = numberedNames();
  const has = (at: number, flag: keyof typeof flags): boolean => ((flagged[at] ?? 0) & flags[flag]) !== 0;
  const isIdentified = (at: number): boolean => has(at, 'identified');
  /** What one event has in common: its text, or its message with a turn of its own for each kind. */
  const events = {
    high: (at: number): number =>
      isIdentified(at)
        ? ((messages.high[at] as number) ^ turned(kinds[at])) >>> 0
        : (texts.high[at] as number),
    low: (at: number): number => (isIdentified(at) ? messages : texts).low[at] as number,
  };
  let size = 0;
  let grouping: GroupRoom | null = null;
  const groups = (places: KeyedPlaces): Iterable<readonly number[]> => {
    grouping ??= groupRoom(room);
    return groupsOf(places, grouping);
  };
  return {
    room,
    add(arrival) {
      const at = size;
      size += 1;
      setKey(texts, at, arrival.text);
      addDelivery(columns, at, arrival.delivery);
      if (arrival.envelope === null) return;
      kinds[at] = names.numberOf(arrival.envelope.event);
      addEvent(columns, at, arrival.envelope);
    },
    size: () => size,
    answer: (at) => answersGiven[answers[at] ?? 0] as Delivery['answer'],
    arrivedMs: arrivedMs.get,
    settledMs: settledMs.get,
    isAnswered: (at) => has(at, 'answered'),
    acknowledged: () => {
      grouping ??= groupRoom(room);
      findAcknowledged(columns, size, grouping);
      return (at) => has(at, 'acknowledged');
    },
    event: (at) => names.nameOf(kinds[at] ?? 0),
    isIdentified,
    isSameText: (one, other) => isSameKey(texts, one, other),
    isSameEvent: (one, other) =>
      events.high(one) === events.high(other) && events.low(one) === events.low(other),
    byText: (isIn) => groups({ ...placesOf(texts, size), has: isIn }),
    byMessage: (isIn) => groups({ ...placesOf(messages, size), has: isIn }),
    byEvent: () => groups({ ...events, count: size, has: () => true }),
    byKey: groups,
    close() {
      for (const held of [columns, texts, messages, arrivedMs, settledMs, grouping ?? {}]) freed(held);
    },
  };
}

function freed(columns: object): void {
  for (const column of Object.values(columns)) {
    if (ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer) column.buffer.transfer(0);
  }
}

type Columns = ReturnType<typeof emptyColumns>;

function emptyColumns(room: number) {
  const arrivedMs = timesInARow(room);
  return {
    texts: textKeys(room),
    messages: textKeys(room),
    arrivedMs,
    settledMs: laterTimes(room, arrivedMs.get),
    connections: new Uint32Array(room),
    answers: new Uint8Array(room),
    flagged: new Uint8Array(room),
    /** 0 where it is no event. */
    kinds: new Uint16Array(room),
  };
}

function addDelivery(columns: Columns, at: number, delivery: Delivery): void {
  const { answer, answeredMs, arrivedMs, completeMs, connection, status } = delivery;
  columns.connections[at] = connection;
  columns.answers[at] = answersGiven.indexOf(answeredMs === null ? 'none' : answer);
  columns.arrivedMs.set(at, arrivedMs);
  columns.settledMs.set(at, answeredMs ?? completeMs ?? arrivedMs);
  const isAccepted = status !== null && status >= 200 && status <= 299;
  const isAtOnce = answeredMs !== null && answeredMs - arrivedMs <= atOnceMs;
  columns.flagged[at] =
    (answeredMs === null ? 0 : flags.answered) | (isAccepted && isAtOnce ? flags.acceptedAtOnce : 0);
}

function addEvent(columns: Columns, at: number, { data }: Envelope): void {
  const id = data['message_id'];
  if (typeof id === 'string') columns.flagged[at] = (columns.flagged[at] ?? 0) | flags.identified;
  setKey(columns.messages, at, idText(id, at));
}

function idText(id: unknown, at: number): string {
  // No two lists or objects are the same id.
  return `${typeof id} ${typeof id === 'object' && id !== null ? at : String(id)}`;
}

/** Acknowledged are those after whose answer another request came on the same connection. */
function findAcknowledged(
  { connections, arrivedMs, settledMs, flagged }: Columns,
  size: number,
  room: GroupRoom,
): void {
  const connectionOf = (at: number): number => connections[at] as number;
  const low = (at: number): number => turned(connectionOf(at));
  for (const same of longGroupsOf({ count: size, high: connectionOf, low, has: () => true }, room)) {
    let lastMs = 0;
    for (const at of same) lastMs = Math.max(lastMs, arrivedMs.get(at));
    for (const at of same) {
      const flag = flagged[at] ?? 0;
      const isRead = lastMs > settledMs.get(at);
      if (isRead && (flag & flags.acceptedAtOnce) !== 0) flagged[at] = flag | flags.acknowledged;
    }
  }
}

/** Numbers of names, from 1; all beyond the bound share the last. */
function numberedNames() {
  const names: string[] = [];
  const numbers = new Map<string, number>();
  return {
    numberOf(name: string): number {
      const known = numbers.get(name);
      if (known !== undefined) return known;
      if (names.length < namesMax) numbers.set(name, names.push(name));
      return names.length;
    },
    nameOf: (number: number): string | null => names[number - 1] ?? null,
  };
}

/** A number as 32 bits that are evenly spread (Knuth's multiplicative hash). */
function turned(number: number | undefined): number {
  return Math.imul(number ?? 0, 0x9e_37_79_b1) >>> 0;
}
