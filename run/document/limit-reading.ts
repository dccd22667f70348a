/** The headers of one answer, by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** What the headers of one answer say of one limit. */
export type Reading = {
  readonly names: readonly string[];
  /** What the names of its three headers begin with, in lower case: "x-ratelimit-"; `null` where they have no such names. */
  readonly triple: string | null;
  /** Those three, as far as they are there; `null` where fields of the IETF say them. */
  readonly own: OwnHeaders | null;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** How many were used, where no header says of how many. */
  readonly used?: number | null;
  /** As it stands. */
  readonly reset: string | null;
  readonly windowSeconds: number | null;
  /** The style of a document that has it so, where it is in fields of the IETF: `"a";r=5;t=30`, or `limit=10, remaining=5, reset=30`. */
  readonly fields: 'ietf' | 'ietf-draft-7' | null;
};

/** By something that is the same in all answers of an endpoint. */
export type Readings = ReadonlyMap<string, Reading>;

/** Names of headers that say one thing each, as they are usually written; `null` where a value is none that a document can promise. */
export type OwnHeaders = {
  readonly limit: NumberHeader | null;
  readonly remaining: NumberHeader | UsedHeader | null;
  readonly reset: string | KeyedHeader | null;
};

/** As a document names the header of how many were used. */
export type UsedHeader = {
  readonly name: string;
  readonly key?: string;
  readonly as: 'used' | 'used-of-limit';
};

/** As a document names the header of a number. */
type NumberHeader = string | { readonly name: string; readonly as: 'list' } | KeyedHeader;

/** As it names a value of a header that says several things. */
type KeyedHeader = { readonly name: string; readonly key: string };
