import type { Scope } from '../../contract/scopes.ts';

/** One request that somebody wants done. */
export type Job = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** A client library at work, with whatever its requests share. */
export type OpenClient = {
  /** Resolves when the library is done with a job, whether it got through or gave up; what it throws is its own way to say so. */
  readonly send: (job: Job) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
};

export type OpenContext = { readonly scope: Scope; readonly limit: number; readonly windowMs: number };

/** A client library with the settings that it comes with. */
export type ClientPeer = {
  readonly library: string;
  /** The package whose installed version counts; `null` is this project. */
  readonly package: string | null;
  /** Methods that it treats differently, and so is asked with. */
  readonly methods: readonly Job['method'][];
  readonly scopes: readonly Scope[];
  readonly open: (context: OpenContext) => OpenClient;
};
