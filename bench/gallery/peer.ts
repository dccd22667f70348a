import type { RequestTemplate } from '../../contract/request-template.ts';
import type { LocalServer } from '../../proof/programs/server-program.ts';
import type { Rule } from './rule.ts';
import type { Truth } from './truth.ts';

export type StartContext = {
  readonly rule: Rule;
  /** The keys that will be sent, by alias: for servers that check them. */
  readonly keys: ReadonlyMap<string, string>;
};

/** Where limiters come from: a registry of packages of a language, or programs of Debian. */
export type Origin = 'npm' | 'PyPI' | 'Go' | 'Maven' | 'crates.io' | 'Debian' | 'this project';

/** One row: a limiter and how it is set. */
export type Peer = {
  readonly library: string;
  readonly origin: Origin;
  /** What is set besides limit and window, in a few words; empty where nothing is. */
  readonly setting: string;
  /** The rule that it keeps where nobody asks for another. */
  readonly rule: Rule;
  /** What the limiter is under a rule. Read by people in its code or documentation. */
  readonly truth: (rule: Rule) => Truth;
  /** Which version will answer. @throws {NotAvailable} where the limiter is not on this machine. */
  readonly version: () => Promise<string>;
  /** The status with which it refuses. */
  readonly refusal: 403 | 429 | 503;
  /** The request that it limits. */
  readonly request: RequestTemplate;
  readonly start: (context: StartContext) => Promise<LocalServer>;
};

/** A limiter that this machine does not have; the message says how to get it. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}

/** The path of the document's media uploads, which all servers of the gallery limit. */
export const limitedPath = '/v1/media';

/** The request of servers that look at nothing but path and key. */
export const plainRequest: RequestTemplate = { method: 'GET', path: limitedPath, headers: {} };

/** What those servers answer within the limit: the document's shape, so that only the limiter decides the verdict. */
export const successBody = { success: true, data: {} } as const;
