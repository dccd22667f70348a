/** The headers of one answer, by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** What the headers of one answer say of one limit. */
export type Reading = {
  readonly names: readonly string[];
  /** What the names of its three headers begin with, in lower case: "x-ratelimit-"; `null` where they have no such names. */
  readonly triple: string | null;
  /** Those three, as far as they are there; `null` where one header says several things. */
  readonly own: OwnHeaders | null;
  readonly limit: number | null;
  readonly remaining: number | null;
  /** As a number, or as a date. */
  readonly reset: string | null;
  readonly windowSeconds: number | null;
  /** Whether it is in fields of the newest draft, `"a";r=5;t=30`, and not of an earlier one. */
  readonly isFields?: boolean;
};

/** By something that is the same in all answers of an endpoint. */
export type Readings = ReadonlyMap<string, Reading>;

/** Names of headers that say one thing each, as they are usually written. */
export type OwnHeaders = {
  readonly limit: string;
  readonly remaining: string | null;
  readonly reset: string | null;
};
