/** One delivery as a page shows it. All of it is text of others, but for what is said of its signature. */
export type PageDelivery = {
  /** Its position in the trace: `replay --only` takes it. */
  readonly index: number;
  /** ms since the Unix epoch. */
  readonly atMs: number;
  /** What it is: the event, or the case that it belongs to. */
  readonly name: string;
  /** The message that it is about. */
  readonly about: string;
  /** `POST /hooks` */
  readonly request: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `null` where it is no text, or not whole. */
  readonly body: string | null;
  /** How its signature is computed, or that it is not known. */
  readonly signature: string;
  /** The same for lists; empty where there is nothing to say. */
  readonly signatureWord: string;
  /** What it was answered, in a few words. */
  readonly answer: string;
  /** More about the answer: what it said, or why there was none. */
  readonly said: string | null;
};

/** What a page shows of each of all deliveries: a line. */
export type PageLine = Pick<PageDelivery, 'index' | 'atMs' | 'name' | 'about' | 'signatureWord' | 'answer'>;

/** A page about deliveries. */
export type DeliveriesPage = {
  readonly title: string;
  /** The address that received them. */
  readonly of: string;
  readonly word: string;
  readonly tone: 'good' | 'bad' | 'open' | 'quiet';
  readonly counts: string;
  readonly notices: readonly string[];
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly verdicts: readonly PageVerdict[];
  readonly deliveries: PageDeliveries;
  /** The folder to name in a command that sends one again. */
  readonly folder: string;
};

/** Lines of the list of all deliveries: with the deliveries in full, a page stays below a megabyte. */
export const linesMax = 10_000;

/** Deliveries of one event that are shown; one that never ends must not fill the page. */
export const triesShownMax = 10;

/** Bytes of the deliveries that a page shows in full; all others are a line each, and the trace has them. */
export const detailBytesMax = 250_000;

/** Characters of one body, or of what was answered. */
export const bodyCharactersMax = 4_000;

/** Characters of one line of a request. */
export const lineCharactersMax = 600;

/** Of all deliveries, those that a page may have room for. */
export type PageDeliveries = {
  readonly total: number;
  /** The first `linesMax` of all. */
  readonly lines: readonly PageLine[];
  /** In the order of their first deliveries. */
  readonly groups: readonly PageGroup[];
};

/** An event, and its repetitions. */
export type PageGroup = {
  /** Those that show what is wrong come before all others, then those that came again. */
  readonly sort: 'flawed' | 'repeated' | 'single';
  readonly length: number;
  /** The first `triesShownMax`. */
  readonly tries: readonly PageDelivery[];
  readonly last: PageDelivery;
};

/** One clause, or one case. */
export type PageVerdict = {
  readonly id: string;
  readonly title: string;
  readonly word: string;
  readonly tone: DeliveriesPage['tone'];
  readonly said: string;
};
