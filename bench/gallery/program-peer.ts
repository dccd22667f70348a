import type { ServerProgram } from '../../proof/programs/server-program.ts';
import { type Peer, plainRequest } from './peer.ts';
import { type Ports, startProgram } from './start-program.ts';

/** A limiter that a program of `programs/` serves. */
export type ProgramRow = Pick<Peer, 'setting' | 'rule' | 'truth'> & {
  /** The package or module that limits. */
  readonly library: string;
  /** Its name among the programs of its language. */
  readonly program: string;
  readonly needsRedis?: true;
};

/** What the programs of one language have in common. */
export type Language = Pick<Peer, 'origin'> & {
  /** The pinned version of a library. */
  readonly pinned: (library: string) => Promise<string>;
  /** How one of them is started, on these ports; installs what is missing first. */
  readonly programOf: (
    program: string,
    limits: { readonly limit: number; readonly seconds: number },
    ports: Ports,
  ) => Promise<Omit<ServerProgram, 'port'>>;
};

/** The rows of one language as peers of the gallery. */
export function programPeers(rows: readonly ProgramRow[], language: Language): readonly Peer[] {
  return rows.map(({ program, needsRedis, ...row }) => ({
    ...row,
    origin: language.origin,
    refusal: 429,
    request: plainRequest,
    version: () => language.pinned(row.library),
    start: ({ rule: { limit, windowMs } }) =>
      startProgram(needsRedis === true, (ports) =>
        language.programOf(program, { limit, seconds: windowMs / 1_000 }, ports),
      ),
  }));
}
